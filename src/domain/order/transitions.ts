import type { Side } from '../../contract/vocabulary/access.ts'
import type { OrderAction, OrderStatus, Workflow } from '../../contract/vocabulary.ts'
import { Refusal } from '../refusal.ts'

/** The events that can move an order. A row of the table below maps each trigger to the next status. */
export type Trigger =
  | 'begin'
  | 'pass'
  | 'fail'
  | 'parse'
  | 'plan'
  | 'confirm_document'
  | 'confirm_proposal'
  | 'review'
  | 'refuse'
  | 'approve'
  | 'counter'
  | 'reject'
  | 'accept'
  | 'withdraw'
  | 'lapse'
  | 'cancel'

/** The state table (choices, States). Nothing else decides the next status. */
const NEXT: Record<OrderStatus, Partial<Record<Trigger, OrderStatus>>> = {
  submitted: { begin: 'validating', cancel: 'canceled' },
  validating: { pass: 'seller_review', fail: 'failed', parse: 'needs_confirmation', plan: 'needs_confirmation', cancel: 'canceled' },
  needs_confirmation: {
    plan: 'needs_confirmation',
    confirm_document: 'confirmed',
    confirm_proposal: 'seller_review',
    refuse: 'canceled',
    cancel: 'canceled',
  },
  confirmed: { review: 'seller_review', cancel: 'canceled' },
  seller_review: { approve: 'placed', counter: 'negotiating', reject: 'rejected', cancel: 'canceled' },
  negotiating: {
    approve: 'placed',
    counter: 'negotiating',
    reject: 'rejected',
    accept: 'placed',
    withdraw: 'canceled',
    lapse: 'negotiating',
    cancel: 'canceled',
  },
  placed: { cancel: 'canceled' },
  canceled: {},
  rejected: {},
  failed: {},
}

/** The members that decide an order's next step, and that every command returns. */
export interface OrderPosition {
  readonly status: OrderStatus
  readonly last_seq: number
}

export function positionOf({ status, last_seq }: OrderPosition): OrderPosition {
  return { status, last_seq }
}

/** Returns the next status for a trigger. Errors: INVALID_STATE with the authoritative status and last_seq (contract, Statuses: INVALID_STATE). */
export function nextStatus({ status, last_seq }: OrderPosition, trigger: Trigger): OrderStatus {
  const next = NEXT[status][trigger]
  if (next === undefined) throw invalidState({ status, last_seq }, `The order is ${status}: ${trigger.replace('_', ' ')} is not possible.`)
  return next
}

/** Makes INVALID_STATE with the authoritative status and last_seq. */
export function invalidState({ status, last_seq }: OrderPosition, message: string): Refusal {
  return new Refusal('INVALID_STATE', message, { status, last_seq })
}

export function isTransition(from: OrderStatus, to: OrderStatus): boolean {
  return Object.values(NEXT[from]).includes(to)
}

/** Returns true for a terminal status; a placed order can still be canceled. */
export function isTerminal(status: OrderStatus): boolean {
  return status === 'placed' || status === 'canceled' || status === 'rejected' || status === 'failed'
}

const ACTIONS: Record<Side, Partial<Record<OrderAction, readonly Trigger[]>>> = {
  buyer: { confirm: ['confirm_document', 'confirm_proposal'], respond: ['accept'], cancel: ['cancel'] },
  seller: { decide: ['approve'], plan: ['plan'] },
}

/**
 * Returns the commands that a side may send now (choices, Order reads): those with a transition in the table. Once the quotes of a
 * negotiation have lapsed, a response can only withdraw.
 */
export function allowedActions({ status, workflow, isLapsed }: Reachable, side: Side): OrderAction[] {
  return (Object.entries(ACTIONS[side]) as [OrderAction, readonly Trigger[]][])
    .filter(([action]) => (action !== 'plan' || workflow === 'proposal') && (action !== 'confirm' || workflow !== 'catalog'))
    .filter(([, triggers]) => triggers.some((trigger) => NEXT[status][trigger] !== undefined))
    .map(([action]) => (action === 'respond' && isLapsed ? 'withdraw' : action))
}

/** Where an order is, as its commands depend on it. */
export interface Reachable {
  readonly status: OrderStatus
  readonly workflow: Workflow
  /** Whether the buyer can no longer accept what was offered. */
  readonly isLapsed: boolean
}
