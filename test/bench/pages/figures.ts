import type { Benchmarks, Result } from '../keepResults.ts'
import { kneeOf, type Model, simulate } from '../simulation.ts'
import { bytes, count, NOT_MEASURED, number, table } from './forms.ts'
import { peersPicture, peersTable } from './peers.ts'
import { type CorePart, ordersPerDayOf, type Sizes, sizesFor, type UnitCosts, USUAL_LOAD } from './sizing.ts'

/** The tables of figures that a page may hold, by the word that asks for them; what follows the word are its arguments. */
export const FIGURES: Readonly<Record<string, (benchmarks: Benchmarks, args: readonly string[]) => string>> = {
  machine: machineLine,
  rows: ({ results }, ids) => resultsTable(results, ids),
  costs: costsTable,
  sizes: sizesTable,
  book: bookTable,
  carried: carriedTable,
  processes: processesTable,
  peers: peersTable,
  peersPicture,
}

function machineLine({ machine }: Benchmarks): string {
  return `Measured on ${machine.cores} cores (${machine.cpu}), ${machine.memory_gb} GB, Node.js ${machine.node.replace(/^v/, '')}: API, worker, PostgreSQL, Temporal and the clients share them.\n`
}

/** The rows of these ids, and which of them have not been measured. */
function resultsTable(all: readonly Result[], ids: readonly string[]): string {
  const results = all.filter(({ id }) => ids.includes(id))
  if (results.length === 0) return `These are ${NOT_MEASURED}.\n`
  const missing = ids.filter((id) => !results.some((result) => result.id === id))
  const rows = results.map(({ work, ours, limit, unit, against, ratio, goal, met, measured_at, load_before }) => [
    work,
    `${number(ours)} ${unit}`,
    limit === null ? '' : `${number(limit)} (${against})`,
    ratio === null ? '' : `${number(ratio)} x`,
    `${goal}: ${met ? 'met' : 'missed'}`,
    `${measured_at}, load ${load_before}`,
  ])
  const measured = table(['Work', 'Ours', 'Held against', 'Ratio', 'Goal', 'Measured'], rows)
  return missing.length === 0
    ? measured
    : `${measured}\nOf these, ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} ${NOT_MEASURED}.\n`
}

/** What an operation costs, from the counters of its row; NaN where it has not been measured. */
export function unitCosts({ results }: Pick<Benchmarks, 'results'>): UnitCosts {
  const counter = (id: string, name: string, work = '') =>
    results.find((result) => result.id === id && result.work.startsWith(work))?.counters.ours[name] ?? Number.NaN
  const snapshot = (name: string) => counter('P7', name, 'snapshot')
  return {
    order: {
      api: counter('P5', 'cpu_us_api'),
      worker: counter('P5', 'cpu_us_worker'),
      postgres: counter('P5', 'cpu_us_postgres'),
      temporal: counter('P5', 'cpu_us_temporal'),
      wal: counter('P5', 'wal_bytes'),
      rows: counter('P13', 'rows'),
      stored: counter('P13', 'table_bytes') + counter('P13', 'index_bytes'),
      historyEvents: counter('P6', 'history_events'),
      historyBytes: counter('P6', 'history_bytes'),
    },
    read: { api: snapshot('cpu_us_server'), postgres: snapshot('cpu_us_postgres') },
    delivery: { worker: counter('P11', 'cpu_us_worker'), postgres: counter('P11', 'cpu_us_postgres'), wal: counter('P11', 'wal_bytes') },
  }
}

function costsTable(benchmarks: Benchmarks): string {
  const { order, read, delivery } = unitCosts(benchmarks)
  const event = benchmarks.results.find(({ id, work }) => id === 'P3' && work.startsWith('decide: approve'))?.counters.ours
  const ms = (microseconds = Number.NaN) => (Number.isNaN(microseconds) ? NOT_MEASURED : number(microseconds / 1_000))
  return table(
    ['', 'API, CPU ms', 'Worker, CPU ms', 'Temporal, CPU ms', 'PostgreSQL, CPU ms', 'WAL', 'Stored', 'History'],
    [
      [
        'An order, from its create to its close',
        ...[ms(order.api), ms(order.worker), ms(order.temporal), ms(order.postgres), bytes(order.wal)],
        Number.isNaN(order.rows) ? NOT_MEASURED : `${count(order.rows)} rows, ${bytes(order.stored)}`,
        `${count(order.historyEvents)} events, ${bytes(order.historyBytes)}`,
      ],
      [
        'An event by a command (approve), one at a time',
        ms(event?.cpu_us_server),
        '',
        '',
        ms(event?.cpu_us_postgres),
        bytes(event?.wal_bytes),
        '',
        '',
      ],
      ['A delivery to a webhook', '', ms(delivery.worker), '', ms(delivery.postgres), bytes(delivery.wal), '', ''],
      ['A read of an order', ms(read.api), '', '', ms(read.postgres), '', '', ''],
    ],
  )
}

const DAYS = [10_000, 1_000_000, 100_000_000]

function sizesTable(benchmarks: Benchmarks): string {
  const units = unitCosts(benchmarks)
  const sizes = DAYS.map((ordersPerDay) => sizesFor(units, { ...USUAL_LOAD, ordersPerDay }))
  const row = (name: string, of: (size: Sizes) => string) => [name, ...sizes.map(of)]
  const cores = (part: CorePart) => (size: Sizes) => number(size[part])
  return table(
    ['', ...DAYS.map((orders) => `${count(orders)} orders a day`)],
    [
      row('Orders a second in the busiest hour', ({ ordersPerSecond }) => number(ordersPerSecond)),
      row('Cores for APIs; one process each', cores('apiCores')),
      row('Cores for workers; a process for each one and a half', cores('workerCores')),
      row('Cores for PostgreSQL', cores('postgresCores')),
      row('Cores for Temporal, without its database', cores('temporalCores')),
      row('WAL a second in the busiest hour', ({ walPerSecond }) => bytes(walPerSecond)),
      row('History events a second in the busiest hour', ({ historyEventsPerSecond }) => count(historyEventsPerSecond)),
      row('Rows a day', ({ rowsPerDay }) => count(rowsPerDay)),
      row('Tables and indexes grow by, a day', ({ storedPerDay }) => bytes(storedPerDay)),
      row('Histories of closed runs, for each day that they are kept', ({ historyPerDay }) => bytes(historyPerDay)),
    ],
  )
}

function bookTable(benchmarks: Benchmarks): string {
  const { order } = unitCosts(benchmarks)
  const books = [10_000, 1_000_000, 100_000_000, 1_000_000_000]
  const rows = books.map((orders) => [count(orders), count(orders * order.rows), bytes(orders * order.stored)])
  return table(['Orders in the book', 'Rows', 'Tables and indexes'], rows)
}

const SERVER_CORES = 64

function carriedTable(benchmarks: Benchmarks): string {
  const units = unitCosts(benchmarks)
  const parts: [string, CorePart, string][] = [
    ['One API process', 'apiCores', '1'],
    ['One worker process', 'workerCores', '1.5'],
    [`One PostgreSQL primary of ${SERVER_CORES} cores`, 'postgresCores', String(SERVER_CORES)],
    [`A Temporal cluster of ${SERVER_CORES} cores`, 'temporalCores', String(SERVER_CORES)],
  ]
  const rows = parts.map(([name, part, cores]) => {
    const orders = ordersPerDayOf(units, USUAL_LOAD, part, Number(cores))
    return [name, number((orders * USUAL_LOAD.peakShare) / 3_600), count(orders)]
  })
  return table(['', 'Orders a second in the busiest hour', 'Orders a day'], rows)
}

/** What the model says of machines that nobody has measured: engines and load elsewhere, so many processes of each on so many cores. */
function processesTable(benchmarks: Benchmarks): string {
  const { order } = unitCosts(benchmarks)
  const waitMs = benchmarks.results.find(({ id }) => id === 'P18')?.counters.limit.wait_ms ?? Number.NaN
  if (Number.isNaN(order.api + order.worker + waitMs)) return `This is ${NOT_MEASURED}.\n`
  const rows = [1, 2, 4, 8, 16].map((processes) => {
    const model: Model = {
      cores: Number.POSITIVE_INFINITY,
      waitMs,
      parts: {
        api: { cpuMs: order.api / 1_000, threads: processes },
        worker: { cpuMs: order.worker / 1_000, threads: 2 * processes },
        postgres: { cpuMs: order.postgres / 1_000, threads: SERVER_CORES },
        temporal: { cpuMs: order.temporal / 1_000, threads: SERVER_CORES },
      },
    }
    const { perSecond, atOnce, limitedBy } = kneeOf(model)
    const busy = simulate(model, { orders: 3_000, atOnce: Math.ceil(2 * atOnce) })
    return [String(processes), number(perSecond), number(atOnce), number(busy.orderMs), limitedBy]
  })
  return table(
    ['API and worker processes, of each', 'Orders/s at most', 'Knee: orders at once', 'ms an order at twice the knee', 'First to be busy'],
    rows,
  )
}
