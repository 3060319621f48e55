/** What one order, one read and one delivery cost, as measured: CPU in microseconds, sizes in bytes. */
export interface UnitCosts {
  readonly order: {
    readonly api: number
    readonly worker: number
    readonly postgres: number
    readonly temporal: number
    readonly wal: number
    readonly rows: number
    readonly stored: number
    readonly historyEvents: number
    readonly historyBytes: number
  }
  readonly read: { readonly api: number; readonly postgres: number }
  readonly delivery: { readonly worker: number; readonly postgres: number; readonly wal: number }
}

/** What is assumed of a market beside what is measured. */
export interface Load {
  readonly ordersPerDay: number
  /** The share of a day's orders that its busiest hour has. */
  readonly peakShare: number
  readonly readsPerOrder: number
  readonly deliveriesPerOrder: number
  /** How busy a core may be on average, so that latency stays low. */
  readonly busy: number
}

/** Cores and bytes that a load needs in its busiest hour, and what it leaves behind in a day. */
export interface Sizes {
  readonly ordersPerSecond: number
  readonly apiCores: number
  readonly workerCores: number
  readonly postgresCores: number
  readonly temporalCores: number
  readonly walPerSecond: number
  readonly historyEventsPerSecond: number
  readonly rowsPerDay: number
  readonly storedPerDay: number
  readonly historyPerDay: number
}

export const USUAL_LOAD: Omit<Load, 'ordersPerDay'> = { peakShare: 0.2, readsPerOrder: 20, deliveriesPerOrder: 8, busy: 0.6 }

const MICROSECONDS = 1_000_000
const HOUR = 3_600

export function sizesFor({ order, read, delivery }: UnitCosts, load: Load): Sizes {
  const ordersPerSecond = (load.ordersPerDay * load.peakShare) / HOUR
  const cores = (microseconds: number) => (ordersPerSecond * microseconds) / MICROSECONDS / load.busy
  const { readsPerOrder: reads, deliveriesPerOrder: deliveries } = load
  return {
    ordersPerSecond,
    apiCores: cores(order.api + reads * read.api),
    workerCores: cores(order.worker + deliveries * delivery.worker),
    postgresCores: cores(order.postgres + reads * read.postgres + deliveries * delivery.postgres),
    temporalCores: cores(order.temporal),
    walPerSecond: ordersPerSecond * (order.wal + deliveries * delivery.wal),
    historyEventsPerSecond: ordersPerSecond * order.historyEvents,
    rowsPerDay: load.ordersPerDay * order.rows,
    storedPerDay: load.ordersPerDay * order.stored,
    historyPerDay: load.ordersPerDay * order.historyBytes,
  }
}

/** How many orders a day a part of so many cores carries. */
export function ordersPerDayOf(units: UnitCosts, load: Omit<Load, 'ordersPerDay'>, part: CorePart, cores: number): number {
  return cores / sizesFor(units, { ...load, ordersPerDay: 1 })[part]
}

export type CorePart = 'apiCores' | 'workerCores' | 'postgresCores' | 'temporalCores'
