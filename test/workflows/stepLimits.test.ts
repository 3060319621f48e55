import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, type WorkerOptions } from '@temporalio/worker'
import type { Validated } from '../../src/domain/order/head.ts'
import { registerSearchAttributes } from '../../worker/searchAttributes.ts'
import { QUEUES, WORKFLOWS } from '../../workflows/messages.ts'
import { timeSkippingServer } from '../support/engines/temporal.ts'
import { aDrop, fakeDrops } from './fakeDrops.ts'
import { NOTHING } from './fakeMails.ts'
import { serveQueues } from './useTimeSkipping.ts'

let env: TestWorkflowEnvironment
let stop = async () => undefined as unknown
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await timeSkippingServer()
  await registerSearchAttributes(env.nativeConnection, 'default')
  stop = await serveQueues(env, STEPS)
}, 60_000)
afterAll(async () => {
  await stop()
  await env.teardown()
})

const head = (more: Partial<Validated>): Validated => ({
  ...{ order_id: 'ord_1', seller: 'cable', buyer_entity: 'acme', workflow: 'catalog', status: 'validating', substatus: null, last_seq: 2 },
  ...{ parked_since: null, decide_by: null, due_at: null, closed: false, gate_due: null, stuck_reason: null },
  ...more,
})
const over = async () => head({ status: 'failed', last_seq: 3, closed: true })
const nothing = async () => undefined
const drops = fakeDrops()
drops.set([aDrop('d-1')])

const validated: Readonly<Record<string, Partial<Validated>>> = {
  ord_document: { workflow: 'document' },
  ord_live: { asks_seller: true },
  ord_pull: { status: 'seller_review', gate_due: 'pull' },
}

/** Steps that end each run as soon as it has taken those of its kind. */
const STEPS: Readonly<Record<string, NonNullable<WorkerOptions['activities']>>> = {
  [QUEUES.orders]: {
    ...drops.looks,
    ...{ validate: async (order: string) => head(validated[order] ?? {}), look: over, tendHold: async () => 'tell_seller' },
    ...{ lapseUploads: nothing, deleteOldDeliveries: nothing, tendMakegood: async () => null, issueInvoices: nothing },
  },
  [QUEUES.deliveries]: { deliver: async () => ({ at: null, waiting: 0, delivered: 0, last_status: null }) },
  [QUEUES.sellerCalls]: { tellHoldOver: nothing, askDecision: nothing },
  [QUEUES.sellerAvailability]: { validateLive: over },
  [QUEUES.documents]: { parseDocument: over },
  [QUEUES.drops]: { ...drops.stages },
  [QUEUES.mail]: { sendMails: async () => NOTHING },
  [QUEUES.reconciling]: { reconcileOrders: async () => ({ at: null, waiting: 0, failing: 0, seller: 'cable' }) },
  [QUEUES.sandbox]: {
    play: async () => null,
    listen: () => env.client.workflow.getHandle('limits:sandbox-buyer').terminate(),
  },
}

/** A run of each kind, by its workflow and its arguments. */
const RUNS: [workflow: string, ...args: string[]][] = [
  [WORKFLOWS.delivery, 'whe_1'],
  [WORKFLOWS.hold, 'hold_1'],
  [WORKFLOWS.housekeeping],
  [WORKFLOWS.drop, 'station/d-1'],
  [WORKFLOWS.mail, 'agr-1'],
  [WORKFLOWS.makegood, 'mkg_1'],
  [WORKFLOWS.reconcile, 'cable'],
  [WORKFLOWS.settlement],
  [WORKFLOWS.sandboxParty, 'sandbox-buyer'],
  [WORKFLOWS.sandboxOrder, 'sandbox-tv', 'ord_1'],
  ...Object.keys(validated).map((order): [string, string] => [WORKFLOWS.order, order]),
]

/** All in seconds: what a step may take, in which time it must beat, its first and its longest pause, how often it is tried, what all tries may take. */
interface Limits {
  readonly queue: string
  readonly takes: number
  readonly beats?: number
  readonly pauses: readonly [first: number, factor: number, most: number]
  readonly tries?: number
  readonly inAll?: number
}

const STAGE: Limits = { queue: 'drops', takes: 6 * 3_600, beats: 10, pauses: [1, 2, 10], tries: 3 }
const HOUSEKEEPING: Limits = { queue: 'orders', takes: 600, beats: 30, pauses: [1, 2, 60] }

/**
 * The limits of each step that is an activity of its own. One that may take longer than ten seconds beats, so that another worker does the work of a dead one
 * within seconds. Without a number of tries it is tried until it is done: what it does stays due.
 */
const LIMITS: Readonly<Record<string, Limits>> = {
  deliver: { queue: 'deliveries', takes: 120, beats: 8, pauses: [0.5, 2, 30] },
  'look at the hold': { queue: 'orders', takes: 10, pauses: [0.5, 2, 30] },
  'the hold is over': { queue: 'seller-calls', takes: 30, beats: 5, pauses: [5, 2, 600], inAll: 3_600 },
  'lapse uploads, delete old files': HOUSEKEEPING,
  'delete old deliveries': HOUSEKEEPING,
  'fetch the files': STAGE,
  'publish catalog and rate cards': STAGE,
  'merge avails': STAGE,
  'store delivery posts': STAGE,
  'write the result': STAGE,
  'send mails': { queue: 'mail', takes: 600, beats: 10, pauses: [1, 2, 30] },
  'look at the makegood': { queue: 'orders', takes: 10, pauses: [0.5, 2, 30] },
  'reconcile what is due': { queue: 'reconciling', takes: 900, beats: 10, pauses: [1, 2, 30] },
  'issue invoices': { queue: 'orders', takes: 7_200, beats: 15, pauses: [5, 3, 300], tries: 6 },
  listen: { queue: 'sandbox', takes: 900, beats: 5, pauses: [0.5, 2, 10] },
  play: { queue: 'sandbox', takes: 60, beats: 5, pauses: [0.5, 2, 10], tries: 20 },
  'read the document into lines': { queue: 'documents', takes: 120, beats: 10, pauses: [1, 2, 30], tries: 5 },
  'live availability': { queue: 'seller-availability', takes: 15, beats: 5, pauses: [0.5, 2, 30] },
  decision: { queue: 'seller-calls', takes: 30, beats: 5, pauses: [1, 2, 600] },
}

/** The server gives a step that is limited by nothing ten years. */
const A_YEAR = 365 * 86_400

const seen = new Map<string, Limits>()

describe('the limits of every step', () => {
  it.each(RUNS)('of %s %s', async (workflow, ...args) => {
    const workflowId = `limits:${args[0] ?? workflow}`
    const run = await env.client.workflow.start(workflow, { workflowId, taskQueue: QUEUES.orders, args })
    await run.result().catch((error) => {
      if (workflow !== WORKFLOWS.sandboxParty) throw error // its test ends it
    })
    const steps = await stepsOf(workflowId)
    expect(steps.length).toBeGreaterThan(0)
    for (const [summary, limits] of steps) {
      seen.set(summary, limits)
      expect([summary, limits]).toEqual([summary, LIMITS[summary]])
    }
  })

  it('of all that a worker serves: none was left out', () => {
    expect([...seen.keys()].sort()).toEqual(Object.keys(LIMITS).sort())
  })

  it.each(Object.entries(LIMITS))('let a dead worker hold it up for half a minute at most: %s', (_, { takes, beats = takes }) => {
    expect(beats).toBeLessThanOrEqual(30)
  })
})

/** The steps that a run has scheduled, each by its summary. */
async function stepsOf(workflowId: string): Promise<[string, Limits][]> {
  const { events } = await env.client.workflow.getHandle(workflowId).fetchHistory()
  return (events ?? []).flatMap(({ userMetadata, activityTaskScheduledEventAttributes: scheduled }): [string, Limits][] => {
    if (!scheduled) return []
    const { retryPolicy, heartbeatTimeout, scheduleToCloseTimeout } = scheduled
    const tries = retryPolicy?.maximumAttempts ?? 0
    const limits = {
      queue: String(scheduled.taskQueue?.name),
      takes: seconds(scheduled.startToCloseTimeout),
      pauses: [seconds(retryPolicy?.initialInterval), retryPolicy?.backoffCoefficient ?? 0, seconds(retryPolicy?.maximumInterval)],
      ...(seconds(heartbeatTimeout) === 0 ? {} : { beats: seconds(heartbeatTimeout) }),
      ...(tries === 0 ? {} : { tries }),
      ...(seconds(scheduleToCloseTimeout) > A_YEAR ? {} : { inAll: seconds(scheduleToCloseTimeout) }),
    } as const
    return [[JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString()), limits as Limits]]
  })
}

function seconds(duration: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(duration?.seconds ?? 0) + (duration?.nanos ?? 0) / 1e9
}
