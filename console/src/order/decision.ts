import type { Decide, Order, OrderLine } from '../api/queries/orders.ts'
import { countText, moneyText } from '../ui/Money.tsx'
import { mondayOf } from '../ui/Period.tsx'
import { openAsks } from './rounds.ts'

export type LineDraft = ({ readonly action: 'accept'; readonly units?: string } | { readonly action: 'reject' } | CounterDraft) & {
  /** Why this line; undefined until its seller gives one. The reason of the decision stands on the others. */
  readonly reason?: string
}

export interface CounterDraft {
  readonly action: 'counter'
  readonly week: string
  readonly price: string
  /** How many hours the quote is open; if empty, the seller's default applies. */
  readonly hours: string
  /** Whether the price differs from the card's, which makes it a quote for this buyer. */
  readonly isQuote?: boolean
}

/** The seller's choices so far. In a review a line without a choice is accepted; in a negotiation it stays unchanged. */
export interface DecisionDraft {
  readonly lines: Readonly<Record<string, LineDraft>>
  readonly reason: string
  /** The seller's own number of the order; the platform makes one if it is empty. */
  readonly number?: string
  /** The sequence number of the order's last event when the user began to choose. */
  readonly seq?: number
}

export const EMPTY_DECISION: DecisionDraft = { lines: {}, reason: '' }

export interface LineFault {
  readonly unitId: string
  readonly message: string
}

/** A decision that was sent: what it was, as text, and the choice for each line. */
export interface Refused {
  readonly tried: string
  readonly meant?: Decide['decision'] | undefined
  readonly lines: readonly { readonly unitId: string; readonly text: string }[]
}

/** Describes what sending the draft does, or why it cannot be sent. */
export interface Effect {
  readonly decision: Decide['decision'] | undefined
  readonly text: string
  readonly faults: readonly LineFault[]
}

export function draftOf(order: Order, draft: DecisionDraft, unitId: string): LineDraft | undefined {
  return draft.lines[unitId] ?? (order.status === 'seller_review' ? { action: 'accept' } : undefined)
}

/** Starts a counter from the week and price of the ask. */
export function counterDraft({ period, rate }: OrderLine): LineDraft {
  return {
    action: 'counter',
    week: period.grain === 'week' ? period.start : '',
    price: String(rate.unit_cost ?? rate.cpm ?? ''),
    hours: '',
  }
}

export function effectOf(order: Order, draft: DecisionDraft): Effect {
  const open = openAsks(order)
  const drafts = open.map((line) => ({ line, draft: draftOf(order, draft, line.unit_id) }))
  const faults = drafts.flatMap(({ line, draft }, index) => faultOf(line, draft, index + 1))
  const count = (action: LineDraft['action']) => drafts.filter((one) => one.draft?.action === action).length
  const [accepted, countered, rejected] = [count('accept'), count('counter'), count('reject')]
  if (countered > 0) {
    const rest = [accepted > 0 && `accept ${accepted}`, rejected > 0 && `reject ${rejected}`].filter(Boolean)
    return { decision: 'counter', text: [`Counter ${countText(countered, 'line')}`, ...rest].join(', '), faults }
  }
  if (accepted + rejected < open.length || open.length === 0) return { decision: undefined, text: 'Choose for each open line', faults }
  if (accepted === 0) return { decision: 'reject', text: `Reject ${countText(rejected, 'line')}`, faults }
  const isWhole =
    rejected === 0 && order.status === 'seller_review' && drafts.every((one) => unitsOf(one.line, one.draft) === one.line.units)
  if (!isWhole) return { decision: 'approve', text: `Approve ${accepted} of ${countText(open.length, 'line')}`, faults }
  return {
    decision: 'approve',
    text: `Approve ${countText(accepted, 'line')}: ${moneyText(order.totals.gross, order.totals.currency)}`,
    faults,
  }
}

/** Describes the choice for each open line. */
export function choicesByLine(order: Order, draft: DecisionDraft): { unitId: string; text: string }[] {
  return openAsks(order).map((line) => ({ unitId: line.unit_id, text: choiceText(line, draftOf(order, draft, line.unit_id)) }))
}

function choiceText(line: OrderLine, chosen: LineDraft | undefined): string {
  if (chosen === undefined) return 'as it is'
  if (chosen.action === 'reject') return 'reject'
  if (chosen.action === 'counter') return `counter ${chosen.week} at ${moneyText(Number(chosen.price), line.rate.currency)}`
  const units = unitsOf(line, chosen)
  return units === line.units ? 'accept' : `accept ${units} of ${line.units}`
}

/** Returns what a draft is about to do, whatever the order has become. */
export function meantBy({ lines, seq }: DecisionDraft): Decide['decision'] | undefined {
  const actions = Object.values(lines).map(({ action }) => action)
  if (actions.includes('counter')) return 'counter'
  if (actions.length > 0 && actions.every((action) => action === 'reject')) return 'reject'
  return seq === undefined ? undefined : 'approve'
}

const DEEDS = {
  approve: ['Approves', 'Approved'],
  reject: ['Rejects', 'Rejected'],
  counter: ['Counters', 'Countered'],
} as const

/** Says what a decision will do to an order, and what it has done: `Approves PO-0240, USD 61,894.00`. */
export function saysOf(
  decision: Decide['decision'],
  { external_order_id, totals }: Pick<Order, 'external_order_id' | 'totals'>,
  gross = totals.gross,
): { will: string; done: string } {
  const [will, done] = DEEDS[decision]
  const money = moneyText(decision === 'reject' ? totals.gross : gross, totals.currency)
  return { will: `${will} ${external_order_id}, ${money}`, done: `${done} ${external_order_id}, ${money}` }
}

/** Builds the body of the decision. A counter names each chosen line; an approval names only what differs from accepting everything. */
export function decideBody(order: Order, draft: DecisionDraft, actor: string, now: number): Decide {
  const { decision } = effectOf(order, draft)
  if (decision === undefined) throw new Error('Nothing has been decided.')
  const units = openAsks(order).flatMap((line) => {
    const chosen = draftOf(order, draft, line.unit_id)
    if (chosen === undefined) return []
    const unit = unitOf(line, chosen, now)
    return isNamed(unit, decision) ? [unit] : []
  })
  const reason = draft.reason.trim()
  const number = decision === 'approve' ? (draft.number ?? '').trim() : ''
  return {
    decision,
    actor,
    ...(units.length > 0 && { units }),
    ...(reason !== '' && { reason }),
    ...(number !== '' && { seller_order_id: number }),
  }
}

type Unit = NonNullable<Decide['units']>[number]

function unitOf(line: OrderLine, chosen: LineDraft, now: number): Unit {
  const { unit_id } = line
  const reason = (chosen.reason ?? '').trim()
  const why = reason === '' ? {} : { reason }
  if (chosen.action === 'reject') return { unit_id, action: 'reject', ...why }
  if (chosen.action === 'counter') {
    const price = line.rate.rate_basis === 'cpm' ? { cpm: Number(chosen.price) } : { unit_cost: Number(chosen.price) }
    const hours = Number(chosen.hours)
    const expiry = hours > 0 ? { quote_expires_at: new Date(now + hours * 3_600_000).toISOString() } : {}
    return { unit_id, action: 'counter', counter: { week: chosen.week, ...price, ...expiry }, ...why }
  }
  const num_accepted = unitsOf(line, chosen)
  return { unit_id, action: 'accept', ...(num_accepted !== line.units && { num_accepted }), ...why }
}

/** Whether a decision has to name the line: what it would do without an entry may be the same. */
function isNamed({ action, num_accepted, reason }: Unit, decision: Decide['decision']): boolean {
  if (reason !== undefined || decision === 'counter') return true
  return decision === 'approve' && (action === 'reject' || num_accepted !== undefined)
}

function unitsOf(line: OrderLine, chosen: LineDraft | undefined): number {
  return chosen?.action === 'accept' && chosen.units !== undefined ? Number(chosen.units) : line.units
}

function faultOf(line: OrderLine, chosen: LineDraft | undefined, number: number): LineFault[] {
  const fault = (message: string) => [{ unitId: line.unit_id, message: `Line ${number}: ${message}` }]
  if (chosen?.action === 'accept') {
    const units = unitsOf(line, chosen)
    return Number.isInteger(units) && units >= 1 && units <= line.units ? [] : fault(`accept 1 to ${line.units} units, or reject the line.`)
  }
  if (chosen?.action !== 'counter') return []
  if (mondayOf(chosen.week) === undefined) return fault('the week of a counter has the form 2027-W06.')
  if (!(Number(chosen.price) > 0)) return fault('a counter needs a price above 0.')
  const isAsk = chosen.week === line.period.start && Number(chosen.price) === (line.rate.unit_cost ?? line.rate.cpm)
  return isAsk ? fault('a counter differs from the ask in week or price.') : []
}
