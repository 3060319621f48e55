import type { Fault } from '../../contract/errorEnvelope.ts'
import type { MissedUnits } from '../../contract/makegood.ts'
import { invalid, Refusal } from '../refusal.ts'
import { spotKey } from './bookedOn.ts'
import type { MakegoodFacts, Spots } from './makegoodFacts.ts'

/** Refuses to begin a makegood of an order that is not placed, or that books a unit of no such id: it reads like a foreign one. */
export function refuseUnplaced({ order }: Pick<MakegoodFacts, 'order'>): void {
  if (order.status === 'placed') return
  throw new Refusal('INVALID_STATE', `The order is ${order.status}: only a placed order has makegoods.`, { status: order.status })
}

/**
 * Returns the faults of a notice: units that are booked, have not aired, and are neither made good, credited nor part of another open makegood can be
 * noticed, before the date or after it. Errors: Refusal NOT_FOUND for a line that is not one of the order.
 */
export function checkNotice(missed: readonly MissedUnits[], facts: Pick<MakegoodFacts, 'order'>, spots: Spots): Fault[] {
  const unknown = missed.find(({ unit_id }) => !facts.order.lines.some((line) => line.unit_id === unit_id))
  if (unknown !== undefined) throw new Refusal('NOT_FOUND', 'There is no such unit.')
  return [...checkOnce(missed, 'for'), ...missed.flatMap((entry, index) => checkEntry(entry, `for.${index}`, spots))]
}

function checkEntry({ unit_id, date, units }: MissedUnits, at: string, spots: Spots): Fault[] {
  const booked = spots.booked(unit_id, date)
  if (booked === undefined || booked.units === 0) return [invalid(`${at}.date`, `${unit_id} books no spot on ${date}.`)]
  const { aired } = spots.reconciled(unit_id, date)
  if (aired >= booked.units) return [invalid(`${at}.date`, `The spots of ${unit_id} on ${date} have aired.`)]
  const left = Math.max(spots.left(booked) - spots.account(unit_id, date).waiting, 0)
  if (units <= left) return []
  return [{ ...invalid(`${at}.units`, `${unit_id} has ${left} units on ${date} that can be missing.`), details: { maximum: left } }]
}

/** Returns a fault for each entry that names the line and date of an earlier one. */
export function checkOnce(entries: readonly { unit_id: string; date: string }[], field: string): Fault[] {
  const seen = new Set<string>()
  return entries.flatMap(({ unit_id, date }, index) => {
    const key = spotKey(unit_id, date)
    if (seen.has(key)) return [invalid(`${field}.${index}.date`, `${unit_id} on ${date} is listed before: send its units as one entry.`)]
    seen.add(key)
    return []
  })
}
