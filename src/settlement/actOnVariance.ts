import type { ActedVariance } from '../contract/reconciliation.ts'
import type { Side } from '../contract/vocabulary.ts'
import { type Decimal, decimal, sum } from '../domain/decimal.ts'
import type { OrderState } from '../domain/order/state.ts'
import { Refusal } from '../domain/refusal.ts'
import { type AskedAction, actOnVariance as decideAction, isInvoiced } from '../domain/settlement/actOnVariance.ts'
import type { StoredVariance } from '../domain/settlement/reconciliationResult.ts'
import { spotOfVariance } from '../domain/settlement/spotOfVariance.ts'
import type { Tx } from '../store/connection/database.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { insertStep, lockReconciliation, readVarianceLine, type StoredStep, type VarianceLine } from '../store/settlement/varianceSteps.ts'
import { issueCreditNote } from './issueCreditNote.ts'
import { shownVariances } from './shownVariances.ts'

export interface VarianceAsk extends AskedAction {
  readonly order_id: string
  readonly variance_id: string
  readonly side: Side
  readonly actor: string
}

/**
 * Takes an action of a party on a variance, in one transaction with the credit note of a credit. An exact repeat changes nothing. The caller has made sure
 * that the order is the party's. Errors: Refusal NOT_FOUND for an unknown variance, INVALID_STATE, INVALID_INPUT for an amount beyond what can be credited.
 */
export async function actOnVariance(log: OrderLog, ask: VarianceAsk): Promise<ActedVariance> {
  const { order_id, variance_id } = ask
  return log.exclusively(order_id, async ({ order }, { tx }) => {
    await lockReconciliation(tx, order_id)
    const line = await lineOf(tx, ask)
    const variance = line.body?.variances.find((each) => each.variance_id === variance_id)
    const steps = line.steps.filter((step) => step.variance_id === variance_id)
    const code = variance?.code ?? steps[0]?.code
    if (code === undefined) throw noSuchVariance()
    const next = decideAction({ code, steps, now: variance, credited: creditedOf(line, variance, variance_id) }, ask)
    if (next !== undefined && variance !== undefined) {
      const { request, facts } = order
      const { action, side, actor, note = null } = ask
      const { unit_id, network, air_date, broadcast_month } = line
      const { units, gross } = variance
      const { amount, invoiceCredit, disputed } = next
      const isCleared = facts.settlement_mode === 'cleared'
      const invoice_id = isCleared && invoiceCredit !== undefined ? await creditNoteOf(tx, order, line, variance, invoiceCredit) : null
      await insertStep(tx, {
        ...{
          order_id,
          variance_id,
          n: steps.length + 1,
          seller: request.seller,
          buyer_entity: facts.buyer_entity,
          action,
          side,
          actor,
          note,
        },
        ...{ invoice_id, code, unit_id, network, air_date, broadcast_month, units, gross },
        amount: amount?.toFixed() ?? null,
        disputed: disputed.toFixed(),
      })
    }
    return acted(await lineOf(tx, ask), ask)
  })
}

async function lineOf(tx: Tx, { order_id, variance_id }: VarianceAsk): Promise<VarianceLine> {
  const line = await readVarianceLine(tx, order_id, variance_id)
  if (line === undefined) throw noSuchVariance()
  return line
}

function noSuchVariance(): Refusal {
  return new Refusal('NOT_FOUND', 'The order has no such variance.')
}

/**
 * What has been credited of the spot of a variance. Spots have no names: where new data gives one another code, its line has no more to credit than it
 * orders.
 */
function creditedOf({ body, steps }: VarianceLine, variance: StoredVariance | undefined, varianceId: string): Decimal {
  const spots = new Map(body?.variances.map((each) => [each.variance_id, spotOfVariance(each)]))
  const spotOf = (id: string) => spots.get(id) ?? id
  const creditedBy = (some: readonly StoredStep[]) => sum(some.map(({ amount }) => amount ?? 0))
  const ofSpot = creditedBy(steps.filter((step) => spotOf(step.variance_id) === spotOf(varianceId)))
  if (body === null || variance === undefined || !isInvoiced(variance.code)) return ofSpot
  const ofLine = creditedBy(steps.filter(({ code }) => isInvoiced(code)))
  const others = decimal(body.ordered_gross).minus(decimal(variance.gross))
  const beyondOthers = ofLine.minus(others)
  return beyondOthers.gt(ofSpot) ? beyondOthers : ofSpot
}

/** The invoice bills the spots of a line in the month of their date. */
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

function acted({ revision, unit_id, network, air_date, broadcast_month, body, steps }: VarianceLine, ask: VarianceAsk): ActedVariance {
  const [variance] = shownVariances(body, steps).filter(({ variance_id }) => variance_id === ask.variance_id)
  if (variance === undefined) throw noSuchVariance()
  return { order_id: ask.order_id, revision, unit_id, network, air_date, broadcast_month, ...variance }
}
