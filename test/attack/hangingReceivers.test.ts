import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Delivery } from '../../src/contract/webhook.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import { expectInvariants } from '../support/invariants/expectInvariants.ts'
import type { Tenant } from '../support/market.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { quiet, victim } from './support/victim.ts'

const HANGING = scale(50, 200)
/** Milliseconds from each attempt that fails to the next, of those whose times are looked at. */
const WAITS_MS = scale([2_000], [2_000, 8_000])
/** The number of endpoints that one tenant may register. */
const PER_TENANT = 50
/** Between two deliveries, whose endpoint's sender stays meanwhile. */
const IDLE_MS = 600

const market = useMarket()
const workers = useWorkers(market)
const receivers: Receiver[] = []
beforeAll(() => workers.start({ ALLOW_LOOPBACK_TARGETS: 'true' }))
market.beforeStop(async () => {
  await workers.kill()
  for (const receiver of receivers) receiver.close()
})

const receiverThat = async (answers: Parameters<Receiver['answer']>[0]): Promise<Receiver> => {
  const receiver = await startReceiver()
  receiver.answer(answers)
  receivers.push(receiver)
  return receiver
}
const registered = async (tenant: Tenant, url: string): Promise<string> => {
  const { status, body } = await tenant.post('/webhooks/endpoints', { url })
  expect(status).toBe(201)
  return body.endpoint_id
}
const ping = async (tenant: Tenant, id: string): Promise<Delivery> => (await tenant.post(`/webhooks/endpoints/${id}/test`, undefined)).body
const logOf = async (tenant: Tenant, id: string): Promise<Delivery[]> =>
  (await tenant.get(`/webhooks/endpoints/${id}/deliveries?limit=200`)).body.items

/** More endpoints of one tenant than the API lets it register, as several tenants together could have. */
async function hangingEndpoints(tenant: string, url: string): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < HANGING) {
    const entity = `registers_${ids.length}`
    const { token } = await issueCredential(market.deps.db, { entity, side: 'buyer', kind: 'test' })
    for (let made = 0; made < PER_TENANT && ids.length < HANGING; made += 1) ids.push(await registered(market.tenant(token), url))
  }
  await market.deps.db.pool.query('update webhook_endpoints set tenant = $1 where endpoint_id = any($2::text[])', [tenant, ids])
  return ids
}

/** Milliseconds from the end of each attempt of a delivery to the beginning of the next. */
const waits = ({ attempts }: Delivery): number[] =>
  attempts.slice(1).map(({ at }, index) => {
    const before = attempts[index]
    return Date.parse(at) - Date.parse(before?.at ?? '') - (before?.latency_ms ?? 0)
  })

describe(`${HANGING} endpoints of a tenant that hang`, () => {
  it('delay neither the first delivery nor the retries of another tenant, and get their own attempts on time', async () => {
    const good = await receiverThat((res) => res.writeHead(204).end())
    const broken = await receiverThat((res) => res.writeHead(500).end())
    const silent = await receiverThat(() => undefined)
    const goodId = await registered(market.zenith, good.url)
    const firstDelivery = async () => {
      const { event_id } = await ping(market.zenith, goodId)
      await until(() => good.received.some(({ headers }) => headers['webhook-id'] === event_id), 20)
    }
    const before = await quiet(firstDelivery, { calls: scale(3, 20), pauseMs: IDLE_MS })

    const hanging = await hangingEndpoints('acme', silent.url)
    await market.created()
    await until(() => silent.received.length >= HANGING / 2)
    const brokenId = await registered(market.station, broken.url)
    await ping(market.station, brokenId)
    const retried = until(async () => ((await logOf(market.station, brokenId))[0]?.attempts.length ?? 0) > WAITS_MS.length, 40)
    const during = await victim(firstDelivery, retried, { pauseMs: IDLE_MS })
    const [delivery] = await logOf(market.station, brokenId)
    const waited = delivery === undefined ? [] : waits(delivery)

    expect(during.failures).toEqual([])
    expectWithin(during.p50, Math.max(3 * before.p50, before.p50 + 250))
    expect(waited).toHaveLength(WAITS_MS.length)
    for (const late of waited.map((ms, index) => ms - (WAITS_MS[index] as number))) {
      expect(late).toBeGreaterThanOrEqual(0)
      expectWithin(late, 1_000)
    }

    const figures: Record<string, number> = { 'quiet p50': before.p50, 'p50 ms': during.p50, 'max ms': during.max }
    for (const [index, ms] of waited.entries()) figures[`wait ${index + 1}`] = ms
    if (IS_LONG) {
      await until(async () => (await pending()) === 0, 180)
      const ends = await endsOf(hanging)
      expect(ends.filter(({ tries, dropped_reason }) => tries < 3 && dropped_reason !== 'too_late')).toEqual([])
      figures['too late'] = ends.filter(({ dropped_reason }) => dropped_reason === 'too_late').length
      figures.deliveries = ends.length
    }
    report(`${HANGING} endpoints of a tenant hang; another's deliveries`, figures)
    await expectInvariants(market.databaseUrl)
  }, 300_000)
})

async function pending(): Promise<number> {
  const { rows } = await market.deps.db.pool.query<{ count: number }>(`select count(*)::int from deliveries where status = 'pending'`)
  return rows[0]?.count ?? 0
}

async function endsOf(ids: readonly string[]): Promise<{ tries: number; dropped_reason: string | null }[]> {
  const { rows } = await market.deps.db.pool.query(
    'select made as tries, dropped_reason from deliveries where endpoint_id = any($1::text[])',
    [ids],
  )
  return rows
}
