import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../../src/local/embedded/ports.ts'
import { startMailServer } from '../support/edi/mailServer.ts'
import { expectMailedOnce, FROM, orderMail, smtpMailer } from '../support/edi/orderMail.ts'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { report } from './support/table.ts'

const market = useMarket()
const workers = useWorkers(market)
const AGREEMENTS = ['agr-1', 'agr-2', 'agr-3', 'agr-4']
const ORDERS = scale(8, 1_000)
/** The long run is in real time: the server is away for ten minutes, and mails are then sent when they are due. */
const AWAY_MS = scale(0, 600_000)
let port: number
let mail: ReturnType<typeof orderMail>

beforeAll(async () => {
  port = await freePort()
  mail = orderMail(market, smtpMailer(port))
})
market.beforeStop(async () => {
  await workers.kill()
  await mail.stop()
})

const count = async (where: string) =>
  (await market.owner().query<{ count: number }>(`select count(*)::int as count from edi_messages where ${where}`)).rows[0]?.count ?? 0

const EVENTS = `select count(*)::int as placed, (count(*) filter (where status = 'canceled'))::int as canceled from orders where placed_at is not null`

/** Retries until a busy machine answers. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 20) throw error
      await sleep(2_000)
    }
  }
}
const place = (more: Record<string, unknown>) => insist(() => market.placed(more))
const cancel = (order_id: string) =>
  insist(async () => {
    const { status } = await market.acme.post(`/orders/${order_id}/cancel`, {})
    if (status !== 202 && status !== 409) throw new Error(`the cancel was answered ${status}`)
  })

it('mails of orders that were placed, canceled and revised while the mail server was away are sent once, in order, when it is back', async () => {
  for (const agreement of AGREEMENTS) await mail.agree(agreement)
  await workers.start({ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_TLS: 'off', MAIL_FROM: FROM })
  const began = Date.now()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < ORDERS) {
      const at = next++
      const agreement_id = AGREEMENTS[at % AGREEMENTS.length] as string
      const order_id = await place({ agreement_id })
      if (at % 5 === 1) await cancel(order_id)
      if (at % 5 === 2) await place({ agreement_id, revision: { supersedes: order_id } })
    }
  }
  await Promise.all([work(), work()])
  // Counted in the database, since on a busy machine an order may be placed without a reply.
  const { rows: events } = await market.owner().query<{ placed: number; canceled: number }>(EVENTS)
  const [{ placed, canceled }] = events as [{ placed: number; canceled: number }]
  expect(placed).toBeGreaterThanOrEqual(ORDERS)
  const expected = placed + canceled
  await until(async () => (await count('true')) === expected && (await count('attempts > 0')) >= ORDERS, scale(120, 600))
  await until(() => Date.now() - began >= AWAY_MS, AWAY_MS / 1_000 + 10)

  const server = await startMailServer(port)
  const back = Date.now()
  const waited = await count(`status = 'queued'`)
  const wakeAll = async () => {
    await mail.makeDue()
    await market
      .owner()
      .query(`insert into outbox (kind, target) select distinct 'mail', agreement_id from edi_messages where status = 'queued'`)
  }
  await until(
    async () => {
      if (!IS_LONG) await wakeAll()
      return (await count(`status = 'queued'`)) === 0
    },
    scale(120, 2_400),
  )
  const rows = (await Promise.all(AGREEMENTS.map((agreement) => mail.messages(agreement)))).flat()
  expect(rows).toHaveLength(expected)
  expect(rows.filter(({ status_reason }) => status_reason === 'replaced').length).toBeGreaterThanOrEqual(Math.ceil((ORDERS - 2) / 5))
  await expectMailedOnce(rows, server.taken)
  await server.stop()
  report('mail server away', {
    orders: ORDERS,
    away_s: Math.round((back - began) / 1_000),
    waited,
    mails: server.taken.length,
    back_s: Math.round((Date.now() - back) / 1_000),
  })
}, 3_600_000)
