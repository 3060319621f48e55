import type pg from 'pg'
import { place } from '../e2e/market.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { type Load, sendLoad } from './load.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Sample } from './pairs.ts'
import { openStage, type Stage } from './stage.ts'

const BATCH = 32
const CREATES = 9_000
const READS = 24_000
/**
 * The first requests after each switch are not counted, because every connection plans its statements up to six times before it keeps a plan.
 * Runs are long, because connections that only peaks need still plan during them.
 */
const WARM_UP = 4_000
const GOAL = 0.97

/**
 * P20: what row security costs: orders taken and read in a second, against the same API while the tables of its database have it switched off. One
 * process answers both, since two of the same program differ by as much as what is measured.
 */
export const rowSecurity: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  try {
    const secure = await switchOf(stage.pool)
    const rows = []
    for (const { what, load } of await worksOf(stage)) {
      run.onProgress(`P20: ${what}`)
      const measure = async (how: 'enable' | 'disable') => {
        await secure(how)
        await sendLoad({ ...load, requests: WARM_UP })
        return measured(engines, stage, load)
      }
      const paired = await comparePairs({ ...run, ours: () => measure('enable'), limit: () => measure('disable') })
      const against = 'itself without row security'
      rows.push({
        ...{ id: 'P20', work: `${what}, ${BATCH} at once, with row security`, against, unit: '/s' },
        ...{ goal: `ratio >= ${GOAL}`, met: paired.ratio >= GOAL, ...paired },
      })
    }
    return rows
  } finally {
    await stage.close()
  }
}

interface Work {
  readonly what: string
  readonly load: Load
}

async function worksOf({ baseUrl, tokens, buyer, nextOrder }: Stage): Promise<Work[]> {
  const { order_id } = await place(buyer, nextOrder())
  const create = {
    baseUrl,
    token: tokens.buyer,
    method: 'POST',
    path: '/v1/orders',
    body: nextOrder,
    requests: CREATES,
    atOnce: BATCH,
    status: 201,
  } as const
  const read = { baseUrl, token: tokens.buyer, method: 'GET', requests: READS, atOnce: BATCH, status: 200 } as const
  return [
    { what: 'POST /orders', load: create },
    { what: 'snapshot', load: { ...read, path: `/v1/orders/${order_id}` } },
    { what: 'replay of events', load: { ...read, path: `/v1/events?order=${order_id}` } },
  ]
}

/** Switches row security of all tables that have it. */
async function switchOf(pool: pg.Pool): Promise<(how: 'enable' | 'disable') => Promise<void>> {
  const { rows } = await pool.query<{ name: string }>(`select oid::regclass::text as name from pg_class where relrowsecurity`)
  if (rows.length === 0) throw new Error('No table has row security.')
  return async (how) => {
    for (const { name } of rows) await pool.query(`alter table ${name} ${how} row level security`)
  }
}

async function measured({ postgres }: Engines, { pool, api }: Stage, load: Load): Promise<Sample> {
  let value = 0
  const counters = await counted({ pool, cpu: { server: api.pid, postgres: postgres.pid } }, load.requests, async () => {
    value = (await sendLoad(load)).perSecond
  })
  return { value, counters }
}
