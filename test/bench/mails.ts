import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/local/embedded/ports.ts'
import { place } from '../e2e/market.ts'
import { counted } from './counters.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const ORDERS = 300
const FROM = 'orders@marketplace.example.com'
const TO = 'billing@agency.example.com'

/** P15: the mails of placed orders, from the wake of their run to the last record: read, rendered, checked, frozen, sent, attempts written down. */
export const mails: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  const port = await freePort()
  const sink = await startProgram('test/bench/mailSink', { PORT: String(port) })
  const bare = await startProgram('test/bench/bareMails', {})
  const worker = await startProgram('worker/main', {
    ...{ DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, PORT: '' },
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_TLS: 'off', MAIL_FROM: FROM },
  })
  try {
    await placeOrders(stage)
    await queueAll(stage)
    await mailAll(stage)
    const { last: raw } = await sink.ask<{ last: string }>({})
    const measured = async (work: () => Promise<number>, processes: Record<string, number>) => {
      let value = 0
      const counters = await counted({ pool: stage.pool, cpu: processes }, ORDERS, async () => {
        value = await work()
      })
      return { value, counters }
    }
    const paired = await comparePairs({
      ...run,
      ours: async () => {
        await queueAll(stage)
        return measured(() => mailAll(stage), { worker: worker.pid, postgres: engines.postgres.pid, sink: sink.pid })
      },
      limit: () =>
        measured(async () => (await bare.ask<{ perSecond: number }>({ port, raw, mails: ORDERS })).perSecond, {
          ...{ bare: bare.pid, sink: sink.pid },
        }),
    })
    return [
      {
        id: 'P15',
        work: `${ORDERS} mails of ${Math.round(raw.length / 1_024)} KiB of one agreement: rendered, checked, frozen, sent, attempts written down`,
        against: 'bare nodemailer over as many pooled connections: the same bytes, made before, nothing kept',
        unit: 'mails/s',
        goal: 'ratio >= 0.45',
        met: paired.ratio >= 0.45,
        ...paired,
      },
    ]
  } finally {
    for (const program of [worker, bare, sink]) await program.stop()
    await stage.close()
  }
}

async function placeOrders(stage: Stage): Promise<void> {
  const ids: string[] = []
  while (ids.length < ORDERS) ids.push((await place(stage.buyer, stage.nextOrder())).order_id)
  await until(stage, `select count(*) = ${ORDERS} as holds from orders where status = 'seller_review'`)
  for (const order_id of ids) await stage.seller.decideOrder({ path: { order_id }, body: { decision: 'approve', actor: 'Ada' } })
  await until(stage, `select count(*) = ${ORDERS} and not exists (select from outbox) as holds from orders where closed`)
  await stage.pool.query(
    `insert into agreements (agreement_id, seller, buyer_entity, status, effective, body)
      select 'agr-bench', seller, buyer_entity, 'active', '[2020-01-01,2099-12-31]', json_build_object('edi', json_build_object('to', $1::text))
      from orders limit 1`,
    [TO],
  )
}

/** Queues the mail of every order as if none had gone: the closing of orders does so, which is measured elsewhere. */
async function queueAll({ pool }: Stage): Promise<void> {
  await pool.query('truncate edi_messages cascade')
  await pool.query(
    `insert into edi_messages (message_id, order_id, seq, agreement_id, seller, buyer_entity, thread, document, document_id, created_at)
      select 'edi_' || order_id, order_id, last_seq, 'agr-bench', seller, buyer_entity, order_id, 'confirmed', 'edi_' || order_id, placed_at
      from orders where status = 'placed'`,
  )
}

/** Times from the wake of their run to the last record. The relay is woken at once, since the pause between its own looks is not part of a mail's cost. */
async function mailAll(stage: Stage): Promise<number> {
  const { pool } = stage
  const began = performance.now()
  await pool.query(
    `with woken as (insert into outbox (kind, target) values ('mail', 'agr-bench') returning 1) select pg_notify('outbox', '') from woken`,
  )
  await until(stage, `select not exists (select from edi_messages where status = 'queued') as holds`)
  const seconds = (performance.now() - began) / 1_000
  const { rows } = await pool.query(`select from edi_messages where status <> 'sent' limit 1`)
  if (rows.length > 0) throw new Error('a mail was not sent')
  return ORDERS / seconds
}

async function until({ pool }: Stage, sql: string): Promise<void> {
  while ((await pool.query<{ holds: boolean }>(sql)).rows[0]?.holds !== true) await sleep(10)
}
