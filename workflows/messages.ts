import { defineSignal } from '@temporalio/workflow'
import type { CommandName, ToldCommand } from '../src/domain/order/toldCommand.ts'

/** Means only "look again" and carries nothing else, so that a lost or repeated signal does no harm. */
export const wake = defineSignal('wake')

/**
 * What an order's run is told of the commands of buyers and sellers, for the reader of its history. The run looks at the order and believes
 * that alone.
 */
export const commandSignals = {
  decided: defineSignal<[ToldCommand]>('decided'),
  confirmed: defineSignal<[ToldCommand]>('confirmed'),
  responded: defineSignal<[ToldCommand]>('responded'),
  canceled: defineSignal<[ToldCommand]>('canceled'),
  planned: defineSignal<[ToldCommand]>('planned'),
  superseded: defineSignal<[ToldCommand]>('superseded'),
} satisfies Record<CommandName, unknown>

/** The workflows by the names under which they are started. */
export const WORKFLOWS = {
  order: 'orderWorkflow',
  delivery: 'deliverWorkflow',
  hold: 'holdWorkflow',
  drop: 'ingestDropWorkflow',
  mail: 'mailOrdersWorkflow',
  reconcile: 'reconcileOrdersWorkflow',
  makegood: 'makegoodWorkflow',
  housekeeping: 'housekeepingWorkflow',
  settlement: 'settlementWorkflow',
  sandboxParty: 'sandboxPartyWorkflow',
  sandboxOrder: 'sandboxOrderWorkflow',
  sandboxRequest: 'sandboxRequestWorkflow',
} as const satisfies Record<string, keyof typeof import('./index.ts')>
export type WorkflowName = (typeof WORKFLOWS)[keyof typeof WORKFLOWS]

/** The task queues. Activities have a queue of their own if they must not delay other work. */
export const QUEUES = {
  /** Every workflow, and the short activities in the database. */
  orders: 'orders',
  /** Deliveries to webhook endpoints, so that hanging receivers delay no other work. */
  deliveries: 'deliveries',
  /** Reading documents, a few at a time. */
  documents: 'documents',
  /** Calls of sellers' own APIs. */
  sellerCalls: 'seller-calls',
  /** Questions for live availability, so that hanging decisions delay no validation. */
  sellerAvailability: 'seller-availability',
  /** The stages of file drops, two at a time per worker, since each may take minutes. */
  drops: 'drops',
  /** Order mail, so that a hanging mail server delays no other work. */
  mail: 'mail',
  /** Recomputation of reconciliations, two sellers at a time per worker. */
  reconciling: 'reconciling',
  /** The parties of a sandbox; in production no worker serves it. */
  sandbox: 'sandbox',
} as const
export type Queue = (typeof QUEUES)[keyof typeof QUEUES]
