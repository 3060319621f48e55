import { defineSignal } from '@temporalio/workflow'

/** "Look again": says nothing else, so that a lost or a doubled one does no harm. */
export const wake = defineSignal('wake')

/** The workflows by the names under which they are started. */
export const WORKFLOWS = {
  order: 'orderWorkflow',
  delivery: 'deliverWorkflow',
  hold: 'holdWorkflow',
  drop: 'ingestDropWorkflow',
  mail: 'mailOrdersWorkflow',
  reconcile: 'reconcileOrdersWorkflow',
  housekeeping: 'housekeepingWorkflow',
  settlement: 'settlementWorkflow',
} as const satisfies Record<string, keyof typeof import('./index.ts')>
export type WorkflowName = (typeof WORKFLOWS)[keyof typeof WORKFLOWS]

/** The task queues. Activities have one of their own where they must hold up nothing else. */
export const QUEUES = {
  /** Every workflow, and the short activities in the database. */
  orders: 'orders',
  /** Deliveries to webhook endpoints: receivers that hang hold up no other work. */
  deliveries: 'deliveries',
  /** Deliveries to slow receivers: endpoints that hang take no slots of endpoints that answer. */
  slowDeliveries: 'deliveries-slow',
  /** Reading documents, a few at a time. */
  documents: 'documents',
  /** Calls of sellers' own APIs. */
  sellerCalls: 'seller-calls',
  /** Questions for live availability: decisions that hang hold up no validation. */
  sellerAvailability: 'seller-availability',
  /** The stages of file drops, two at a time in a worker: each may take minutes. */
  drops: 'drops',
  /** Order mail: a mail server that hangs holds up no other work. */
  mail: 'mail',
  /** Recomputes of reconciliations, two sellers at a time in a worker. */
  reconciling: 'reconciling',
} as const
export type Queue = (typeof QUEUES)[keyof typeof QUEUES]
