import { Worker, type WorkerOptions } from '@temporalio/worker'
import { ENDPOINTS_AT_ONCE, type WebhookDispatcher } from '../activities/deliveries.ts'
import { documentActivities } from '../activities/documents.ts'
import { dropActivities, dropLookActivities } from '../activities/drops.ts'
import { holdActivities } from '../activities/holds.ts'
import { type HousekeepingDeps, housekeepingActivities } from '../activities/housekeeping.ts'
import { type MailActivityDeps, mailActivities } from '../activities/mails.ts'
import { type OrderActivityDeps, orderActivities } from '../activities/orders.ts'
import { reconciliationActivities } from '../activities/reconciliations.ts'
import { type SellerCallDeps, sellerCallActivities } from '../activities/sellerCalls.ts'
import { settlementActivities } from '../activities/settlement.ts'
import type { ObjectStorage } from '../src/adapters/objectStorage.ts'
import type { StageDeps } from '../src/drops/stage.ts'
import { openLanes } from '../src/pull/lanes.ts'
import type { LargeOrders } from '../src/settlement/largeOrders.ts'
import { QUEUES, type Queue } from '../workflows/messages.ts'
import { WORKFLOW_LIMITS } from './workflowLimits.ts'

export interface QueueDeps extends OrderActivityDeps, HousekeepingDeps, Omit<SellerCallDeps, 'lanes'>, StageDeps {
  readonly workflowBundle: NonNullable<WorkerOptions['workflowBundle']>
  readonly dispatcher: Pick<WebhookDispatcher, 'activities'>
  readonly mailSender: MailActivityDeps['mailSender']
  /** What sellers drop: `{seller}/{drop_id}/{filename}`. */
  readonly drops: ObjectStorage
  readonly largeOrders: LargeOrders
}

type Served = Pick<WorkerOptions, 'activities' | 'maxConcurrentActivityTaskExecutions'> &
  Partial<typeof WORKFLOW_LIMITS> &
  Pick<WorkerOptions, 'workflowBundle'>

/** What a worker does with the tasks of each queue. */
export function servedQueues({ workflowBundle, dispatcher, ...deps }: QueueDeps): Record<Queue, Served> {
  const orders = {
    ...orderActivities(deps),
    ...holdActivities(deps),
    ...housekeepingActivities(deps),
    ...settlementActivities(deps),
    ...dropLookActivities(deps),
  }
  const deliveries = { activities: dispatcher.activities, maxConcurrentActivityTaskExecutions: ENDPOINTS_AT_ONCE }
  // As many calls of one purpose are under way per seller as it declares, and some more wait their turn for some seconds: what one seller that
  // hangs can hold of the slots is a fifth, and of another seller's lane nothing.
  const lane = () => openLanes({ perBuyer: 100, waiting: 136 })
  const lanes = { decisions: lane(), availability: lane(), holds: lane() }
  const sellerCalls = { activities: sellerCallActivities({ ...deps, lanes }), maxConcurrentActivityTaskExecutions: 1_000 }
  return {
    [QUEUES.orders]: { workflowBundle, activities: orders, ...WORKFLOW_LIMITS },
    [QUEUES.deliveries]: deliveries,
    [QUEUES.slowDeliveries]: deliveries,
    [QUEUES.documents]: { activities: documentActivities(deps), maxConcurrentActivityTaskExecutions: DOCUMENTS_AT_ONCE },
    [QUEUES.sellerCalls]: sellerCalls,
    [QUEUES.sellerAvailability]: sellerCalls,
    [QUEUES.drops]: { activities: dropActivities(deps), maxConcurrentActivityTaskExecutions: DROPS_AT_ONCE },
    [QUEUES.mail]: { activities: mailActivities(deps), maxConcurrentActivityTaskExecutions: AGREEMENTS_AT_ONCE },
    [QUEUES.reconciling]: { activities: reconciliationActivities(deps), maxConcurrentActivityTaskExecutions: RECONCILED_AT_ONCE },
  }
}

/** One worker a queue. None of them polls before it is run. */
export function openWorkers(
  options: Pick<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime' | 'workerDeploymentOptions' | 'interceptors'>,
  served: Record<Queue, Served>,
): Promise<Worker[]> {
  return Promise.all(Object.entries(served).map(([taskQueue, its]) => Worker.create({ ...options, ...its, taskQueue })))
}

/** A seller has one drop at work at most, so that none holds more than one of these places. */
const DROPS_AT_ONCE = 2

/** Sellers of which orders are reconciled concurrently. A seller has one of these places for a minute at most, apart from large orders. */
const RECONCILED_AT_ONCE = 2

/** Most of these wait for a turn at the mail server, so that agreements take turns by mails and not by minutes. */
const AGREEMENTS_AT_ONCE = 200

/** Most of these wait for a turn at a reader. Another limit bounds how many are read concurrently. */
const DOCUMENTS_AT_ONCE = 200
