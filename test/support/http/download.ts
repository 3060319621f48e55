import type { Response } from 'supertest'
import type { Tenant } from '../market.ts'
import type { TestApp } from './app.ts'

/** Gets a file as a tenant; the reply's body is its bytes, whatever its content type. */
export async function download({ request }: Pick<TestApp, 'request'>, { token }: Pick<Tenant, 'token'>, path: string): Promise<Response> {
  return request
    .get(`/v1${path}`)
    .auth(token, { type: 'bearer' })
    .buffer(true)
    .parse((reply, done) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => done(null, Buffer.concat(chunks)))
    })
}
