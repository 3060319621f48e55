import { OPEN_ENDPOINTS, sweepDeliveries } from '../src/store/delivery/deliveries.ts'
import { OPEN_DROPS, sweepDrops } from '../src/store/drops/dropRun.ts'
import { OPEN_MAILS, sweepMails } from '../src/store/edi/mailQueue.ts'
import { OPEN_MAKEGOODS, sweepMakegoods } from '../src/store/makegoods/makegoodQueue.ts'
import { OPEN_HOLDS, sweepHolds } from '../src/store/orders/holds.ts'
import { OPEN_ORDERS, sweepDue } from '../src/store/orders/outbox.ts'
import { OPEN_RECONCILIATIONS, sweepReconciliations } from '../src/store/settlement/reconcileQueue.ts'
import { OPEN_SANDBOX_REQUESTS, sweepSandboxRequests } from '../src/store/tenants/sandboxRequests.ts'
import { QUEUES, WORKFLOWS } from '../workflows/messages.ts'
import { type RunKind, startOptions, wakeOrStart } from './runKind.ts'
import { wakeEndpoint } from './wakeEndpoint.ts'
import { wakeOrder } from './wakeOrder.ts'

/**
 * Every kind of run that the outbox wakes. A new kind needs a row here, its workflow and its name in workflows/messages.ts, and its
 * activities in worker/queues.ts. It needs no migration, since the outbox accepts any kind.
 */
export const RUNS: readonly RunKind[] = [
  {
    kind: 'order',
    workflow: WORKFLOWS.order,
    queue: QUEUES.orders,
    idPrefix: 'order',
    wake: wakeOrder,
    sweep: ({ pool }) => sweepDue(pool),
    open: OPEN_ORDERS,
    stuck: 'orders that stood still',
  },
  {
    kind: 'endpoint',
    workflow: WORKFLOWS.delivery,
    queue: QUEUES.orders,
    idPrefix: 'deliver',
    wake: wakeEndpoint,
    sweep: ({ pool }) => sweepDeliveries(pool),
    open: OPEN_ENDPOINTS,
    stuck: 'endpoints whose deliveries stood still',
  },
  {
    kind: 'hold',
    workflow: WORKFLOWS.hold,
    queue: QUEUES.orders,
    idPrefix: 'hold',
    wake: wakeOrStart,
    sweep: sweepHolds,
    open: OPEN_HOLDS,
    stuck: 'holds that ought to have ended',
  },
  {
    kind: 'drop',
    workflow: WORKFLOWS.drop,
    queue: QUEUES.orders,
    idPrefix: 'drop',
    wake: wakeOrStart,
    sweep: sweepDrops,
    open: OPEN_DROPS,
    stuck: 'file drops that were open for a minute',
  },
  {
    kind: 'mail',
    workflow: WORKFLOWS.mail,
    queue: QUEUES.orders,
    idPrefix: 'mail',
    wake: wakeOrStart,
    sweep: sweepMails,
    open: OPEN_MAILS,
    stuck: 'agreements whose order mails stood still',
  },
  {
    kind: 'reconcile',
    workflow: WORKFLOWS.reconcile,
    queue: QUEUES.orders,
    idPrefix: 'reconcile',
    wake: wakeOrStart,
    sweep: sweepReconciliations,
    open: OPEN_RECONCILIATIONS,
    stuck: 'sellers whose orders were due to be reconciled',
  },
  {
    kind: 'makegood',
    workflow: WORKFLOWS.makegood,
    queue: QUEUES.orders,
    idPrefix: 'makegood',
    wake: wakeOrStart,
    sweep: sweepMakegoods,
    open: OPEN_MAKEGOODS,
    stuck: 'makegoods that ought to have moved',
  },
  {
    kind: 'sandbox_request',
    workflow: WORKFLOWS.sandboxRequest,
    queue: QUEUES.orders,
    idPrefix: 'sandbox_request',
    wake: wakeOrStart,
    sweep: sweepSandboxRequests,
    open: OPEN_SANDBOX_REQUESTS,
    stuck: 'requests that the parties of the sandbox have not carried out',
  },
]

const byKind = new Map(RUNS.map((run) => [run.kind, run]))

export function isKind(kind: string): boolean {
  return byKind.has(kind)
}

/** Throws for an unknown kind, whose outbox rows wait for a worker of a later version. */
export function runOf(kind: string): RunKind {
  const run = byKind.get(kind)
  if (run === undefined) throw new Error(`worker/runs.ts has no row for the kind ${kind}; it has ${[...byKind.keys()].join(', ')}.`)
  return run
}

export function runIdOf(kind: string, target: string): string {
  return startOptions(runOf(kind), target).workflowId
}
