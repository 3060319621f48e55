import type { Test } from 'supertest'
import type { TestApp } from './app.ts'

/** Publishes as a seller, by default `cable`: `put('catalog', body)`. Returns supertest's request, so that tests can check refusals. */
export function sellerPut(app: Pick<TestApp, 'request' | 'tokens'>) {
  return (what: string, body: object | string, token = app.tokens.sellers.cable): Test =>
    app.request.put(`/v1/me/${what}`).auth(token, { type: 'bearer' }).type('application/json').send(body)
}
