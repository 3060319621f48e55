import { Worker, type WorkerOptions } from '@temporalio/worker'
import { deliveryActivities, MAX_CONCURRENT_ENDPOINTS } from '../activities/deliveries.ts'
import { documentActivities } from '../activities/documents.ts'
import { dropActivities, dropLookActivities } from '../activities/drops.ts'
import { holdActivities } from '../activities/holds.ts'
import { type HousekeepingDeps, housekeepingActivities } from '../activities/housekeeping.ts'
import { type MailActivityDeps, mailActivities } from '../activities/mails.ts'
import { makegoodActivities } from '../activities/makegoods.ts'
import { type OrderActivityDeps, orderActivities } from '../activities/orders.ts'
import { reconciliationActivities } from '../activities/reconciliations.ts'
import { sandboxActivities } from '../activities/sandbox.ts'
import { type SellerCallDeps, sellerCallActivities } from '../activities/sellerCalls.ts'
import { settlementActivities } from '../activities/settlement.ts'
import type { ObjectStorage } from '../src/adapters/files/objectStorage/storage.ts'
import type { Players } from '../src/local/sandbox/players.ts'
import type { StageDeps } from '../src/operations/drops/stage.ts'
import { openSellerPermits } from '../src/operations/pull/sellerPermits.ts'
import type { LargeOrders } from '../src/operations/settlement/largeOrders.ts'
import type { WebhookDispatcher } from '../src/operations/webhooks/dispatcher.ts'
import { QUEUES, type Queue } from '../workflows/messages.ts'
import { wakePlay } from './playSandbox.ts'
import { withSmallYoungGenerations } from './tuneHeap.ts'
import { WORKFLOW_LIMITS } from './workflowLimits.ts'

export interface QueueDeps extends OrderActivityDeps, HousekeepingDeps, Omit<SellerCallDeps, 'sellerPermits'>, StageDeps {
  readonly workflowBundle: NonNullable<WorkerOptions['workflowBundle']>
  readonly dispatcher: Pick<WebhookDispatcher, 'deliver' | 'progress'>
  readonly mailSender: MailActivityDeps['mailSender']
  /** The files that sellers drop: `{seller}/{drop_id}/{filename}`. */
  readonly drops: ObjectStorage
  readonly largeOrders: LargeOrders
  /** The parties of a sandbox; undefined where none act. */
  readonly players?: Players | undefined
}

type Served = Pick<WorkerOptions, 'activities' | 'maxConcurrentActivityTaskExecutions'> &
  Partial<typeof WORKFLOW_LIMITS> &
  Pick<WorkerOptions, 'workflowBundle'>

type ServedQueues = Record<Exclude<Queue, 'sandbox'>, Served> & Partial<Record<'sandbox', Served>>

/** Returns how a worker serves the tasks of each queue. */
export function servedQueues({ workflowBundle, dispatcher, players, ...deps }: QueueDeps): ServedQueues {
  const orders = {
    ...orderActivities(deps),
    ...holdActivities(deps),
    ...makegoodActivities(deps),
    ...housekeepingActivities(deps),
    ...settlementActivities(deps),
    ...dropLookActivities(deps),
  }
  // For each purpose, a seller has as many concurrent calls as it declares, and some more wait a few seconds for a turn. A hanging seller
  // can thus hold at most a fifth of the slots, and nothing of another seller's permits.
  const open = () => openSellerPermits({ perBuyer: 100, waiting: 136 })
  const sellerPermits = { decisions: open(), availability: open(), holds: open() }
  const sellerCalls = { activities: sellerCallActivities({ ...deps, sellerPermits }), maxConcurrentActivityTaskExecutions: 1_000 }
  return {
    [QUEUES.orders]: { workflowBundle, activities: orders, ...WORKFLOW_LIMITS },
    [QUEUES.deliveries]: { activities: deliveryActivities(dispatcher), maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_ENDPOINTS },
    [QUEUES.documents]: { activities: documentActivities(deps), maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_DOCUMENTS },
    [QUEUES.sellerCalls]: sellerCalls,
    [QUEUES.sellerAvailability]: sellerCalls,
    [QUEUES.drops]: { activities: dropActivities(deps), maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_DROPS },
    [QUEUES.mail]: { activities: mailActivities(deps), maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_AGREEMENTS },
    [QUEUES.reconciling]: {
      activities: reconciliationActivities(deps),
      maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_RECONCILIATIONS,
    },
    ...(players && {
      [QUEUES.sandbox]: {
        activities: sandboxActivities({ ...deps, players, wakePlay }),
        maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_PLAYS,
      },
    }),
  }
}

/** Creates one worker per queue, with the thread of the orders' workflows. None of them polls until it is run. */
export function openWorkers(
  options: Pick<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime' | 'workerDeploymentOptions' | 'interceptors'>,
  served: ServedQueues,
): Promise<Worker[]> {
  const create = ([taskQueue, its]: [string, Served]) => Worker.create({ ...options, ...its, taskQueue })
  return withSmallYoungGenerations(() => Promise.all(Object.entries(served).map(create)))
}

/** A seller has at most one drop in progress, so no seller holds more than one of these slots. */
const MAX_CONCURRENT_DROPS = 2

/** How many sellers' orders are reconciled concurrently. Apart from large orders, a seller holds a slot for at most a minute. */
const MAX_CONCURRENT_RECONCILIATIONS = 2

/** Most of these wait for the mail server, so that agreements take turns mail by mail rather than minute by minute. */
const MAX_CONCURRENT_AGREEMENTS = 200

/** Orders and requests of a sandbox that its parties deal with at once, beside their listenings. */
const MAX_CONCURRENT_PLAYS = 20

/** Most of these wait for a reader. Another limit bounds how many documents are read concurrently. */
const MAX_CONCURRENT_DOCUMENTS = 200
