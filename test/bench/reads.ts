import { freePort } from '../../src/local/embedded/ports.ts'
import { place } from '../e2e/market.ts'
import { counted } from './counters.ts'
import { sendLoad } from './load.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Row, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage } from './stage.ts'

const REQUESTS = 4_000

/** P7: a snapshot and a replay against Express sending a constant of equal size. */
export const reads: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const port = await freePort()
  const nothing = await startProgram('test/bench/nullServer', { DATABASE_URL: stage.databaseUrl, PORT: String(port) })
  const { order_id } = await place(stage.buyer, stage.nextOrder())
  const rows: Row[] = []
  const measure = async (baseUrl: string, path: string, server: number): Promise<Sample> => {
    let value = 0
    const watched = { pool: stage.pool, cpu: { server, postgres: engines.postgres.pid } }
    const load = { baseUrl, path, token: stage.tokens.buyer, method: 'GET' as const, requests: REQUESTS, atOnce: 32, status: 200 }
    const counters = await counted(watched, REQUESTS, async () => {
      value = (await sendLoad(load)).perSecond
    })
    return { value, counters }
  }
  try {
    for (const [what, path, read] of [
      ['snapshot', `/orders/${order_id}`, () => stage.buyer.getOrder({ path: { order_id } })],
      ['replay of events', `/events?order=${order_id}`, () => stage.buyer.replayEvents({ query: { order: order_id } })],
    ] as const) {
      const { text } = await read()
      await nothing.ask({ constant: text })
      const paired = await comparePairs({
        ...run,
        ours: () => measure(stage.baseUrl, `/v1${path}`, stage.api.pid),
        limit: () => measure(`http://127.0.0.1:${port}`, '/constant', nothing.pid),
      })
      const against = `Express sending ${Buffer.byteLength(text)} constant bytes`
      const { statements = 0 } = paired.counters.ours
      const met = paired.ratio >= 0.8 && statements < 1.01
      rows.push({ id: 'P7', work: `${what}, 32 at once`, against, unit: 'reads/s', goal: 'ratio >= 0.80, one statement', met, ...paired })
    }
  } finally {
    await nothing.stop()
    await stage.close()
  }
  return rows
}
