import { beforeAll, describe, expect, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { disputing } from '../support/settlement/disputing.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood, type Flood, statusesOf } from './support/besideFlood.ts'
import { call } from './support/call.ts'
import { attackMs, LIMITS, scale } from './support/scale.ts'

/** Acme sends the same requests without a pause, while zenith and station continue their work. */
const ATTACK_MS = attackMs(700, 40_000)
const BATCH = scale(4, 16)
/** Results whose changes acme reads. */
const RESULTS = scale(2_000, 20_000)
const market = useMarket()
const { disputable } = disputing(market)
let api: ApiProcess
let variances: string
beforeAll(async () => {
  api = await startApiProcess(market, { env: { LOG_LEVEL: 'fatal', RATE_LIMITS: LIMITS } })
  const { order, id } = await disputable()
  variances = `/orders/${order}/reconciliation/variances/${id}`
  await market.owner().query(
    `insert into reconciliations (order_id, seller, buyer_entity, currency, state, coverage, totals, guarantees, codes, broadcast_months, digest)
      select 'ord_many_' || n, 'cable', 'acme', 'USD', 'reconciled', '{}', $1, '[]', '{MISSED}', '{2030-06}', '' from generate_series(1, $2) n`,
    [JSON.stringify((await market.acme.get('/settlement/reconciliation')).body.items.at(0)?.totals), RESULTS],
  )
}, 60_000)
market.beforeStop(async () => {
  await api.stop()
  await market.owner().query(`delete from reconciliations where order_id like 'ord\\_many\\_%'`) // no orders belong to them
})

const others = async () => {
  await call(api.baseUrl, { path: '/orders', token: market.zenith.token })
  await call(api.baseUrl, { path: '/me/settlement/reconciliation', token: market.station.token })
}

type Attack = Pick<Flood, 'method' | 'body' | 'path'>

async function floodedBy(name: string, attacks: readonly Attack[], allowed: readonly number[]): Promise<void> {
  const floods = attacks.map((attack) => ({ ...attack, token: market.acme.token, atOnce: BATCH }))
  const flooded = await besideFlood({ name, baseUrl: api.baseUrl, call: others, floods, ms: ATTACK_MS })
  expect(statusesOf(flooded)).toContain(200)
  expect([...allowed, 429, 503]).toEqual(expect.arrayContaining(statusesOf(flooded)))
}

describe('a flood of one tenant', () => {
  it(
    'of change reads does not affect the others',
    () =>
      floodedBy(
        'change reads of reconciliations',
        ['?limit=500', '?code=DUPLICATE', '?broadcast_month=2029-01'].map((query) => ({
          method: 'GET',
          path: `/settlement/reconciliation${query}`,
        })),
        [200],
      ),
    60_000,
  )

  it('of actions on a variance does not affect the others, and is recorded once', async () => {
    const attacks = ['dispute', 'accept'].map((action) => ({ method: 'POST', path: variances, body: JSON.stringify({ action }) }))
    await floodedBy('actions on a variance', attacks, [200, 409])
    const { rows } = await market.owner().query('select count(*)::int as actions from variance_actions')
    expect(rows).toEqual([{ actions: 1 }])
  }, 60_000)

  it(
    'of filtered order lists and counts does not affect the others',
    () =>
      floodedBy(
        'order filters and counts',
        ['?q=ord_&overdue=true', '?air_from=2030-01-01&waiting_on=seller', '/counts'].map((query) => ({
          method: 'GET',
          path: `/orders${query}`,
        })),
        [200],
      ),
    60_000,
  )
})
