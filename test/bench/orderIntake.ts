import { freePort } from '../../src/local/embedded/ports.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { type Load, type Measured, sendLoad } from './load.ts'
import { comparePairs, type Paired, type Row, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage } from './stage.ts'

const WORK = 'POST /orders, 2 lines, everything checked; neither worker nor engine is running'

export interface Run {
  pairs: number
  onProgress: (text: string) => void
  /** How many orders are parked in P12, and how many are in the larger book of P13. */
  sizes: { readonly parked: number; readonly book: number }
}

export type Bench = (engines: Engines, run: Run) => Promise<Row[]>

/** P1: many at once, by throughput. */
export const intakeAtOnce: Bench = async (engines, run) => {
  const paired = await compareIntakes(engines, run, { requests: 3_000, atOnce: 32 }, ({ perSecond }) => perSecond)
  const goal = 'ratio >= 0.60'
  return [{ id: 'P1', work: `${WORK}; 32 at once`, against: 'null intake', unit: 'orders/s', goal, met: paired.ratio >= 0.6, ...paired }]
}

/** P2: one at a time, by the time of an answer. */
export const intakeOneByOne: Bench = async (engines, run) => {
  const paired = await compareIntakes(engines, run, { requests: 600, atOnce: 1 }, ({ p50Ms }) => p50Ms)
  const goal = 'ratio <= 2.0'
  return [{ id: 'P2', work: `${WORK}; one at a time`, against: 'null intake', unit: 'ms, p50', goal, met: paired.ratio <= 2, ...paired }]
}

/** The same bytes to both, by turns, on one Postgres. */
async function compareIntakes(
  engines: Engines,
  run: Run,
  size: Pick<Load, 'requests' | 'atOnce'>,
  figure: (measured: Measured) => number,
): Promise<Paired> {
  const stage = await openStage(engines)
  const port = await freePort()
  const nothing = await startProgram('test/bench/nullServer', { DATABASE_URL: stage.databaseUrl, PORT: String(port) })
  const load = { ...size, method: 'POST' as const, path: '/v1/orders', body: stage.nextOrder, token: stage.tokens.buyer, status: 201 }
  const measure = async (baseUrl: string, server: number): Promise<Sample> => {
    let value = 0
    const watched = { pool: stage.pool, cpu: { server, postgres: engines.postgres.pid } }
    const counters = await counted(watched, size.requests, async () => {
      value = figure(await sendLoad({ ...load, baseUrl }))
    })
    return { value, counters }
  }
  try {
    return await comparePairs({
      ...run,
      ours: () => measure(stage.baseUrl, stage.api.pid),
      limit: () => measure(`http://127.0.0.1:${port}`, nothing.pid),
    })
  } finally {
    await nothing.stop()
    await stage.close()
  }
}
