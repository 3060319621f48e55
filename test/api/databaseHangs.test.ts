import { describe, expect, it } from '@jest/globals'
import type { Test } from 'supertest'
import { freezePostgres } from '../support/engines/freezePostgres.ts'
import { checkReply } from '../support/http/contract.ts'
import { anAvail } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

/** In milliseconds: the time within which every call is answered. */
const WITHIN = 10_000

const call = (method: 'get' | 'post' | 'put', path: string, token: string, body?: object): Test =>
  market.request[method](`/v1${path}`).auth(token, { type: 'bearer' }).send(body)

/** Sends a call, and resolves to its method, path, status and milliseconds. Checks a 503 against the contract. */
async function answered(method: 'get' | 'post' | 'put', path: string, token: string, body?: object) {
  const began = Date.now()
  const reply = await call(method, path, token, body)
  checkReply(method, path, reply)
  expect(reply.headers['retry-after'] ?? '').toMatch(/^[1-9]\d*$/)
  return { call: `${method} ${path}`, status: reply.status, isInTime: Date.now() - began < WITHIN }
}

describe('a database whose host is frozen', () => {
  it('has every call answered 503 within ten seconds, also those that were waiting for it, and leaves the API ready', async () => {
    const { acme, cable } = market
    const [parked, other] = [await market.parked(), await market.parked()]
    const owner = await market.owner().connect()
    await owner.query('begin')
    const held = [parked, 'publish:cable'].map((name) => `pg_advisory_xact_lock(hashtextextended('${name}', 0))`)
    await owner.query(`select ${held.join(', ')}`)
    const avails = { avails: [anAvail('prime', { period: { grain: 'week', start: '2030-W23' } })] }
    const waiting = [
      answered('post', `/me/orders/${parked}/decide`, cable.token, { decision: 'approve', actor: 'Ada' }),
      answered('put', '/me/avails', cable.token, avails),
    ]
    await until(async () => (await owner.query('select from pg_locks where not granted')).rowCount === 2)
    const thaw = await freezePostgres(market.databaseUrl)
    try {
      const later = [
        answered('get', '/orders', acme.token),
        answered('get', `/orders/${other}`, acme.token),
        answered('post', '/orders', acme.token, market.order()),
        answered('post', `/orders/${other}/cancel`, acme.token, {}),
        answered('put', '/me/avails', market.station.token, avails),
        answered('get', '/events/feed', acme.token),
        answered('get', '/ops/health', market.operations.token),
      ]
      const ready = await market.request.get('/readyz')
      expect(ready).toMatchObject({ status: 200, body: { status: 'ready', database: 'away' } })
      const replies = await Promise.all([...waiting, ...later])
      expect(replies.filter(({ status, isInTime }) => status !== 503 || !isInTime)).toEqual([])
      // The calls after them find no connection.
      expect(await answered('get', '/orders', acme.token)).toMatchObject({ status: 503, isInTime: true })
    } finally {
      thaw()
    }
    await owner.query('rollback')
    owner.release()
    await until(async () => (await call('get', '/orders', acme.token)).status === 200)
    expect((await market.request.get('/readyz')).body.database).toBe('answers')
  }, 60_000)
})
