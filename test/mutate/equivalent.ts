import type { Mutant } from './mutant.ts'

interface Equivalent {
  readonly kind: string
  /** The text that the fault changes begins with this. */
  readonly original: string
  /** Without one, anywhere. */
  readonly file?: string
  readonly why: string
}

const JOINED = 'leads the planner to the index; the join beside it says the same'
const LOCK_ORDER = 'the order in which rows are locked shows in no result; any one keeps two transactions from a deadlock'
const MARK_AGREEMENTS = 'src/store/settlement/markAgreements.ts'
const READ_TO_RECONCILE = 'src/store/settlement/readToReconcile.ts'
const CLOSE_REPLACED = 'src/store/settlement/closeReplaced.ts'
const BOOK_SPOTS = 'src/store/settlement/bookSpots.ts'

/** Faults that change nothing which a test could see. */
const EQUIVALENT: readonly Equivalent[] = [
  { kind: 'no option', original: '{ once: true }', why: 'a signal aborts once' },
  {
    kind: 'never',
    original: 'pause === undefined ? seller.askDecision',
    file: 'workflows/phases/pullGate.ts',
    why: 'nothing was shown before the first pause',
  },
  {
    kind: 'left alone',
    original: 'known.get(keyOf(source, user))?.throttledUntil ?? 0',
    file: 'sftp/failedSignIns.ts',
    why: 'undefined is above nothing either',
  },
  { kind: 'no statement', original: 'known.set(', why: 'what is not remembered is computed again' },
  { kind: 'never', original: 'found !== undefined', why: 'what is not found is computed again' },
  { kind: 'condition', original: 'uploads.upload_id = any(', file: 'src/store/orders/createOrders.ts', why: JOINED },
  { kind: 'condition', original: 'holds.hold_id = any(', file: 'src/store/orders/createOrders.ts', why: JOINED },
  { kind: 'direction', original: 'f.txid, f.position', file: 'src/store/delivery/feedWatch.ts', why: 'whether there is one, not which' },
  { kind: 'unary', original: '-2', file: 'src/domain/settlement/invoiceNumber.ts', why: 'a year has four digits' },
  { kind: 'join', original: 'join', file: BOOK_SPOTS, why: 'every order has its record' },
  { kind: 'condition', original: 'not o.closed', file: BOOK_SPOTS, why: 'an order that is closed has no due time' },
  { kind: 'condition', original: 'o.due_at is not null', file: BOOK_SPOTS, why: 'an order that is not closed has a due time' },
  { kind: 'condition', original: 'not exists (select from booked_orders', file: BOOK_SPOTS, why: 'a conflict does nothing either' },
  { kind: 'direction', original: 'o.order_id', file: BOOK_SPOTS, why: LOCK_ORDER },
  {
    kind: 'condition',
    original: 'invoice_due_at is not null',
    file: 'src/store/settlement/dueOrders.ts',
    why: 'leads the planner to the index; null is before no time',
  },
  {
    kind: 'condition',
    original: "kind = 'credit_note'",
    file: 'src/store/settlement/issue.ts',
    why: 'an invoice has no reason',
  },
  { kind: 'condition', original: 'true', why: 'it holds anyway' },
  { kind: 'direction', original: 'order_id', file: 'src/store/settlement/reconcileQueue.ts', why: LOCK_ORDER },
  { kind: 'limit', original: '1', file: 'src/store/settlement/reconcileQueue.ts', why: 'it only has to find one' },
  { kind: 'direction', original: 'order_id', file: MARK_AGREEMENTS, why: LOCK_ORDER },
  { kind: 'join', original: 'join', file: MARK_AGREEMENTS, why: 'the condition wants a booked order' },
  { kind: 'condition', original: 'agreement_id in (select agreement_id from booked)', file: READ_TO_RECONCILE, why: JOINED },
  { kind: 'limit', original: ':max', file: 'src/store/settlement/reconcileQueue.ts', why: 'what is larger than the largest is as large' },
  { kind: 'coalesce', original: 'coalesce', file: 'src/store/orders/families.ts', why: 'the order itself is locked next' },
  { kind: 'limit', original: '$', file: 'src/store/orders/families.ts', why: 'no family has as many' },
  { kind: 'coalesce', original: 'coalesce', file: 'src/store/orders/loadOrders.ts', why: 'null counts as false, and has no elements' },
  {
    kind: 'join',
    original: 'join',
    file: 'src/store/settlement/reconciliationReads.ts',
    why: 'a line that is not there is after no place',
  },
  { kind: 'condition', original: 'f.acted_codes is not null', why: 'saves a search that finds nothing' },
  {
    kind: 'condition',
    original: 'd.endpoint_id = r.endpoint_id',
    file: 'src/store/delivery/attempts.ts',
    why: 'a number is of one delivery',
  },
  { kind: 'direction', original: '1', file: 'src/store/delivery/endpointSenders.ts', why: LOCK_ORDER },
  ...['seller = :seller', 'a.seller = :seller', 'r.seller = :seller'].map((original) => ({
    ...{ kind: 'condition', original, file: CLOSE_REPLACED },
    why: 'a registration is of one seller; leads the planner to the index',
  })),
  { kind: 'direction', original: '$', file: CLOSE_REPLACED, why: 'all are decided in the end' },
  { kind: 'limit', original: ':limit', file: CLOSE_REPLACED, why: 'a larger batch decides the same' },
  { kind: 'condition', original: 'm.message_id = any(', file: 'src/store/edi/mailAttempts.ts', why: JOINED },
  { kind: 'limit', original: '1', file: 'src/store/edi/queueResend.ts', why: 'only the first row is read' },
  {
    kind: 'no statement',
    original: 'await condition(allHandlersFinished)',
    why: 'handlers of signals end at once; the library asks for it',
  },
  { kind: 'never', original: `stage === 'ended'`, file: 'workflows/ingestDrop.ts', why: 'a drop that has ended is not looked at' },
  {
    kind: 'operator',
    original: 'index < links.length',
    file: 'src/domain/settlement/openEntries.ts',
    why: 'a shorter path is only quicker',
  },
]

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(
    ({ kind, original, file = mutant.file }) => kind === mutant.kind && file === mutant.file && mutant.original.startsWith(original),
  )
}
