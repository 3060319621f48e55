import { MAKEGOOD_CREDIT } from '../../contract/vocabulary/settlement.ts'
import { decimal } from '../../domain/decimal.ts'
import type { OrderState } from '../../domain/order/state.ts'
import type { Tx } from '../../store/connection/database.ts'
import { creditIssued, type UnissuedCredit, unissuedCredits } from '../../store/makegoods/makegoodCredits.ts'
import { creditWithin } from './issueCreditNote.ts'

/**
 * Issues a credit note for each makegood and month that is credited and invoiced, once: at most what is left of the invoice. A month that is invoiced later is
 * credited then. The caller holds the locks of the order and of its reconciliation. Returns the ids of the credit notes.
 */
export async function issueMakegoodCredits(tx: Tx, order: OrderState): Promise<string[]> {
  const { order_id } = order.facts
  const issued: string[] = []
  for (const credits of byMakegoodAndMonth(await unissuedCredits(tx, order_id))) {
    const { makegood_id, broadcast_month } = credits[0]
    const lines = credits.map(({ unit_id, air_date, network, units, gross }) => {
      const line = order.lines.find((each) => each.unit_id === unit_id)
      const ordered = line === undefined ? {} : { product_id: line.product_id, spot_length: line.spot_length }
      return { unit_id, ...ordered, network, units, dates: [{ date: air_date, units }], gross: decimal(gross) }
    })
    const invoice_id = await creditWithin(tx, { order_id, broadcast_month, lines, reason: MAKEGOOD_CREDIT })
    if (invoice_id === undefined) continue
    await creditIssued(tx, { makegood_id, broadcast_month, invoice_id })
    issued.push(invoice_id)
  }
  return issued
}

function byMakegoodAndMonth(credits: readonly UnissuedCredit[]): [UnissuedCredit, ...UnissuedCredit[]][] {
  const groups = new Map<string, [UnissuedCredit, ...UnissuedCredit[]]>()
  for (const credit of credits) {
    const key = `${credit.broadcast_month} ${credit.makegood_id}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [credit])
    else group.push(credit)
  }
  return [...groups.values()]
}
