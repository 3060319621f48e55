import type { ActedVariance } from '../../contract/reconciliation.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import { type Decimal, decimal } from '../../domain/decimal.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type AskedAction, actOnVariance as decideAction, isInvoiced } from '../../domain/settlement/actOnVariance.ts'
import { type CreditingStep, creditedBy, creditedOf } from '../../domain/settlement/creditedOf.ts'
import { inForceOn } from '../../domain/settlement/datesInForce.ts'
import type { StoredVariance } from '../../domain/settlement/reconciliationResult.ts'
import { isSentBefore, refuseSecondCredit, type SentAction } from '../../domain/settlement/sentBefore.ts'
import type { Tx } from '../../store/connection/database.ts'
import { creditedByMakegoods } from '../../store/makegoods/makegoodCredits.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { lockInvoice } from '../../store/settlement/settle.ts'
import { insertStep, lockReconciliation, readVarianceLine, type VarianceLine } from '../../store/settlement/varianceSteps.ts'
import { issueCreditNote } from './issueCreditNote.ts'
import { openVariances, shownVariances } from './shownVariances.ts'
import { spotOfVariance } from './varianceId.ts'

export interface VarianceRequest extends AskedAction {
  readonly order_id: string
  readonly variance_id: string
  readonly side: Side
  readonly actor: string
  readonly sent: SentAction
}

export interface Acted {
  readonly variance: ActedVariance
  /** Whether a request with the same key took the action before. */
  readonly isReplay: boolean
}

/**
 * Takes a party's action on a variance, in one transaction with the credit note of a credit. A repeat of an earlier action with the same
 * key, or without a key of the last one, changes nothing. The caller has checked that the order is the party's. Errors: NOT_FOUND without a
 * variance, INVALID_STATE, INVALID_INPUT above what can be credited, CONFLICT for a key with another body or a possible second credit.
 */
export async function actOnVariance(log: OrderLog, request: VarianceRequest): Promise<Acted> {
  const { order_id, side, sent } = request
  return log.exclusively(order_id, async ({ order }, { tx }) => {
    await lockReconciliation(tx, order_id)
    const line = await lineOf(tx, request)
    const steps = line.steps.filter((step) => step.variance_id === request.variance_id)
    const isReplay = isSentBefore(steps, side, sent)
    if (!isReplay) await takeStep(tx, order, line, request)
    return { variance: acted(await lineOf(tx, request), request), isReplay }
  })
}

/** Decides on an action and writes it, unless it repeats the last one. */
async function takeStep(tx: Tx, order: OrderState, line: VarianceLine, request: VarianceRequest): Promise<void> {
  const { order_id, variance_id, action, side, actor, note = null, sent } = request
  const { facts } = order
  const variance = openVariances(line).find((each) => each.variance_id === variance_id)
  const steps = line.steps.filter((step) => step.variance_id === variance_id)
  const code = variance?.code ?? steps[0]?.code
  if (code === undefined) throw noSuchVariance()
  const isCleared = facts.settlement_mode === 'cleared'
  const { broadcast_month, unit_id, network, air_date } = line
  const invoice = isCleared && action === 'credit' && isInvoiced(code) ? await lockInvoice(tx, order_id, broadcast_month) : undefined
  const invoiceLeft = invoice && decimal(invoice.gross).minus(decimal(invoice.credited))
  const byMakegoods = await creditedByMakegoods(tx, { order_id, unit_id, network, air_date })
  const credited = variance === undefined ? 0 : creditedSoFar(order, line, variance, byMakegoods)
  const next = decideAction({ code, currency: facts.currency, steps, now: variance, credited, invoiceLeft }, request, {
    isKeyed: sent.key !== undefined,
  })
  if (next === undefined || variance === undefined) return
  if (action === 'credit') refuseSecondCredit(steps, side, sent)
  const { units, gross } = variance
  const { amount, invoiceCredit, disputed } = next
  const invoice_id = isCleared && invoiceCredit !== undefined ? await creditNoteOf(tx, order, line, variance, invoiceCredit) : null
  await insertStep(tx, {
    ...{ order_id, variance_id, n: steps.length + 1, seller: order.request.seller, buyer_entity: facts.buyer_entity },
    ...{ action, side, actor, note, invoice_id, code, unit_id, network, air_date, broadcast_month, units, gross },
    amount: amount?.toFixed() ?? null,
    disputed: disputed.toFixed(),
    // While there is no result, the variance keeps the spot of the last action.
    spot: line.body === null ? (steps.at(-1)?.spot ?? null) : spotOfVariance(line.body, variance_id),
    request_key: sent.key ?? null,
    body_hash: sent.body_hash,
  })
}

async function lineOf(tx: Tx, { order_id, variance_id }: VarianceRequest): Promise<VarianceLine> {
  const line = await readVarianceLine(tx, order_id, variance_id)
  if (line === undefined) throw noSuchVariance()
  return line
}

function noSuchVariance(): Refusal {
  return new Refusal('NOT_FOUND', 'The order has no such variance.')
}

/**
 * Returns what has been credited of a spot. On a date that the order no longer bills, that is everything: what was invoiced there is taken
 * back by another credit note. If the order is too large to be matched, it is all credit of the line: nothing tells any more which of the
 * line's variances new data had ended, and the credit of such a variance may concern any spot, and so may that of a makegood.
 */
function creditedSoFar(
  order: OrderState,
  { unit_id, air_date, body, steps: acted }: VarianceLine,
  variance: StoredVariance,
  byMakegoods: string,
): Decimal {
  const steps: CreditingStep[] = [...acted, { variance_id: '', code: 'MISSED', amount: byMakegoods }]
  if (isInvoiced(variance.code) && !inForceOn(order)(unit_id, { date: air_date })) return decimal(variance.gross)
  return body === null
    ? creditedBy(steps.filter(({ code }) => isInvoiced(code) === isInvoiced(variance.code)))
    : creditedOf(body, steps, variance)
}

/** Builds the credit note. The invoice bills the spots of a line in the month of their date. */
function creditNoteOf(
  tx: Tx,
  { facts: { order_id }, lines }: OrderState,
  { unit_id, network, air_date, broadcast_month }: VarianceLine,
  { code, units }: StoredVariance,
  gross: Decimal,
): Promise<string> {
  const line = lines.find((each) => each.unit_id === unit_id)
  const ordered = line === undefined ? {} : { unit_id: line.unit_id, product_id: line.product_id, spot_length: line.spot_length }
  const credited = { ...ordered, network, units, dates: [{ date: air_date, units }], gross }
  return issueCreditNote(tx, { order_id, broadcast_month, lines: [credited], reason: code })
}

function acted(line: VarianceLine, { order_id, variance_id }: VarianceRequest): ActedVariance {
  const { revision, unit_id, network, air_date, broadcast_month } = line
  const [variance] = shownVariances(line).filter((each) => each.variance_id === variance_id)
  if (variance === undefined) throw noSuchVariance()
  return { order_id, revision, unit_id, network, air_date, broadcast_month, ...variance }
}
