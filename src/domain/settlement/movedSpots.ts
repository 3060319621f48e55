import type { InvoiceLine } from '../../contract/invoice.ts'
import { addUp } from '../addUp.ts'
import { broadcastMonthOf, type IsoDate } from '../calendar.ts'
import { decimal, jsonNumber, sum } from '../decimal.ts'
import { keyOf } from './keyOf.ts'

/** An agreed makegood, as far as it decides in which month an invoice bills what it replaces. */
export interface BilledMakegood {
  readonly makegood_id: string
  readonly product_id: string
  readonly network: string
  readonly spot_length: number
  /** The date on which it airs. */
  readonly date: IsoDate
  readonly billing: 'booked' | 'aired'
  readonly replaces: readonly { readonly unit_id: string; readonly date: IsoDate; readonly units: number; readonly gross: number }[]
}

/** Units of a line and date that are billed in the month in which their makegood airs. */
interface MovedSpots {
  readonly by: BilledMakegood
  readonly unit_id: string
  readonly date: IsoDate
  readonly units: number
  readonly gross: number
  /** False if the order ended before the makegood's date: then it does not air, and is billed in no month. */
  readonly airs: boolean
}

/** Returns the units that are not billed in the booked month, but in that in which their makegood airs. */
export function movedSpots(
  makegoods: readonly BilledMakegood[],
  isInForce: (unitId: string | null, on: { date: IsoDate }) => boolean,
): MovedSpots[] {
  return makegoods
    .filter(({ billing }) => billing === 'aired')
    .flatMap((by) =>
      by.replaces
        .filter(({ date }) => broadcastMonthOf(date) !== broadcastMonthOf(by.date))
        .filter(({ unit_id, date }) => isInForce(unit_id, { date }))
        .map(({ unit_id, date, units, gross }) => ({ by, unit_id, date, units, gross, airs: isInForce(unit_id, by) })),
    )
}

/** Returns an invoice line less what is billed elsewhere; undefined if nothing is left of it. */
export function withoutMoved(line: InvoiceLine, moved: readonly MovedSpots[]): InvoiceLine | undefined {
  const dates = new Set(line.dates?.map(({ date }) => date))
  const own = moved.filter(({ unit_id, date }) => unit_id === line.unit_id && dates.has(date))
  if (own.length === 0) return line
  const gone = new Map<IsoDate, number>()
  for (const { date, units } of own) addUp(gone, date, units)
  const left = (line.dates ?? [])
    .map(({ date, units }) => ({ date, units: units - (gone.get(date) ?? 0) }))
    .filter(({ units }) => units > 0)
  const units = left.reduce((total, each) => total + each.units, 0)
  const gross = decimal(line.gross).minus(sum(own.map((each) => each.gross)))
  return units === 0 ? undefined : { ...line, units, dates: left, gross: jsonNumber(gross) }
}

/** Returns the invoice lines of what has moved, one a makegood and line, at the price of what it replaces. */
export function movedLines(moved: readonly MovedSpots[]): (InvoiceLine & { dates: NonNullable<InvoiceLine['dates']> })[] {
  const groups = new Map<string, MovedSpots[]>()
  for (const spots of moved.filter(({ airs }) => airs)) {
    const key = keyOf(spots.by.makegood_id, spots.unit_id)
    groups.set(key, [...(groups.get(key) ?? []), spots])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (first === undefined) return []
      const { makegood_id, product_id, network, spot_length, date } = first.by
      const all = [first, ...others]
      const units = all.reduce((total, spots) => total + spots.units, 0)
      const gross = jsonNumber(sum(all.map((spots) => spots.gross)))
      return [
        {
          kind: 'spots' as const,
          unit_id: first.unit_id,
          product_id,
          network,
          spot_length,
          units,
          dates: [{ date, units }],
          makegood_id,
          gross,
        },
      ]
    })
}
