import type { Test } from 'supertest'
import type { TestApp } from './app.ts'

/** Publishes as a seller, `cable` unless said otherwise: `put('catalog', body)`. Returns supertest's request, for tests of what the contract refuses. */
export function sellerPut(app: Pick<TestApp, 'request' | 'tokens'>) {
  return (what: string, body: object | string, token = app.tokens.sellers.cable): Test =>
    app.request.put(`/v1/me/${what}`).auth(token, { type: 'bearer' }).type('application/json').send(body)
}
