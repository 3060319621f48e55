import { Worker, type WorkerOptions } from '@temporalio/worker'
import { type SellerCallDeps, sellerCallActivities } from '../activities/sellerCalls.ts'
import { openLanes } from '../src/pull/lanes.ts'

/** The workers that call sellers' own APIs: apart from the orders' one, and decisions apart from availability. */
export interface SellerCallWorkers {
  readonly workers: readonly Worker[]
  /** Ends when they are shut down; fails when one stops by itself. */
  run(): Promise<void>
  shutdown(): void
}

type Options = Pick<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime'>

/**
 * As many calls of one purpose are under way per seller as it declares, and some more wait their turn for some seconds: what one seller that hangs
 * can hold of the slots is a fifth, and of another seller's lane nothing.
 */
export async function startSellerCalls(options: Options, deps: Omit<SellerCallDeps, 'lanes'>): Promise<SellerCallWorkers> {
  const lane = () => openLanes({ perBuyer: 100, waiting: 136 })
  const activities = sellerCallActivities({ ...deps, lanes: { decisions: lane(), availability: lane(), holds: lane() } })
  const workers = await Promise.all(
    ['seller-calls', 'seller-availability'].map((taskQueue) =>
      Worker.create({ ...options, taskQueue, activities, maxConcurrentActivityTaskExecutions: 1_000 }),
    ),
  )
  return {
    workers,
    run: async () => {
      await Promise.all(workers.map((worker) => worker.run()))
    },
    shutdown: () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
    },
  }
}
