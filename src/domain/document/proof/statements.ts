import { decimal, sameAmount } from '../../decimal.ts'
import type { Cell, Row } from '../cells.ts'
import type { OrderLine } from '../lines.ts'
import { isNumeric } from '../page/numeric.ts'
import { amountOf, isMoney } from '../values/amounts.ts'
import { type Equation, equationsOf, type Fee, NO_TERMS } from './equation.ts'

const WHOLE =
  /^\W*(grand |order |schedule |flight |gross )?total( (of )?(line items|spots|units|# of units|cost|amount|dollars|gross|gross amount|airtime))?\W*$|^\W*(gross (airtime|amount|total)|number of spots)\W*$/i

/** Tells what a label says of the whole order; undefined if it says something else. */
export function labelled(label: string): 'units' | 'cost' | 'lines' | undefined {
  if (!WHOLE.test(label) || NO_TERMS.test(label)) return undefined
  if (/line items/i.test(label)) return 'lines'
  if (/spots|units/i.test(label)) return 'units'
  return /cost|amount|dollars|gross|airtime/i.test(label) ? 'cost' : undefined
}

/** Compares what stands beside a label such as `Total Spots:`, outside of the columns of a table. */
export function statementsOf(row: Row, lines: readonly OrderLine[], fees: readonly Fee[]): Equation[] {
  const numbers = row.cells.filter(isNumeric)
  return row.cells.flatMap((cell, at): Equation[] => {
    const { label, value } = pairOf(row.cells, at)
    const of =
      value === undefined
        ? undefined
        : (labelled(label) ??
          (numbers.length === 1 && WHOLE.test(label) && !NO_TERMS.test(label) ? (isMoney(value.text) ? 'cost' : 'units') : undefined))
    const stated = value === undefined ? undefined : amountOf(value.text)
    if (of === undefined || stated === undefined || value === undefined || numbers.length > 2) return []
    const all = lines.map((_, place) => place)
    if (of === 'lines')
      return [
        {
          of,
          read: value.text,
          at: cell.at,
          stated,
          computed: decimal(lines.length),
          ties: sameAmount(stated, lines.length),
          lines: all,
          scope: 'total',
        },
      ]
    const tries = [[], fees].map((some) => equationsOf([{ cell: value, of, value: stated }], all, lines, some)[0] as Equation)
    return [tries.find(({ ties }) => ties) ?? (tries[0] as Equation)]
  })
}

/** A label with its number in the next cell, or in the same: `Total Spots: 105`. */
function pairOf(cells: readonly Cell[], at: number): { label: string; value: Cell | undefined } {
  const cell = cells[at] as Cell
  const inside = /^(.*[:#])\s*(\$?\s?[\d,.]+)$/.exec(cell.text)
  if (inside !== null) return { label: inside[1] ?? '', value: { ...cell, text: inside[2] ?? '' } }
  const next = cells[at + 1]
  if (next?.text === '$' && cells[at + 2] !== undefined)
    return { label: cell.text, value: { ...(cells[at + 2] as Cell), text: `$${cells[at + 2]?.text}` } }
  return { label: cell.text, value: next !== undefined && amountOf(next.text) !== undefined ? next : undefined }
}
