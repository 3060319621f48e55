import { afterEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const lines: string[] = []
const reply = (path: string) =>
  supertest(createApp(market.deps, pino({ level: 'error' }, { write: (line: string) => lines.push(line) })))
    .get(path)
    .auth(market.acme.token, { type: 'bearer' })
    .set('X-Request-Id', 'mine')

/** The fields of the only line that was written, without those that every line has. */
function logged(): object {
  const [line = '{}', ...more] = lines.splice(0)
  expect(more).toEqual([])
  const { level, time, pid, hostname, ...fields } = JSON.parse(line)
  return fields
}

afterEach(() => market.owner().query('grant select on orders to marketplace_app'))

describe('the log line of a request that fails', () => {
  it('names the request, its tenant and its order', async () => {
    const orderId = await market.created()
    await market.owner().query('revoke select on orders from marketplace_app')
    expect((await reply(`/v1/orders/${orderId}`)).status).toBe(500)
    const err = expect.objectContaining({ message: expect.stringContaining('orders') })
    expect(logged()).toEqual({ msg: 'request failed', request_id: 'mine', tenant: 'acme', order_id: orderId, err })
  })

  it('repeats nothing that was sent in place of an id', async () => {
    await market.owner().query('revoke select on orders from marketplace_app')
    expect((await reply('/v1/orders/ord_anything')).status).toBe(500)
    const line = logged()
    expect(line).toMatchObject({ msg: 'request failed', tenant: 'acme' })
    expect(line).not.toHaveProperty('order_id')
  })
})
