import type { Fault } from '../../contract/errorEnvelope.ts'
import type { HoldLine } from '../../contract/hold.ts'
import type { ReadableCreate, ReadableLine } from '../../contract/readableCreate.ts'
import { invalid } from '../refusal.ts'

/** An active hold of this buyer with this seller. */
export interface OpenHold {
  hold_id: string
  lines: readonly HoldLine[]
}

/**
 * Returns the faults of cited holds, by line. A hold must be active and cover the product, period and spot length of the line, with enough
 * units for all lines that cite it for them (choices, Holds).
 */
export function checkCitedHolds(items: readonly ReadableLine[], holds: readonly OpenHold[]): Fault[][] {
  return items.map((item, index) => {
    if (item.hold_id === undefined) return []
    const field = `line_items.${index}.hold_id`
    const hold = holds.find(({ hold_id }) => hold_id === item.hold_id)
    if (hold === undefined) return [invalid(field, `${item.hold_id} is not an active hold of this buyer with this seller.`)]
    const held = unitsOf(hold.lines, item)
    if (held === 0) return [invalid(field, `${item.hold_id} does not cover this product, period and spot length.`)]
    const taken = unitsOf(
      items.slice(0, index + 1).filter(({ hold_id }) => hold_id === item.hold_id),
      item,
    )
    return taken > held
      ? [invalid(field, `${item.hold_id} holds ${held} units of this product and period; the lines that cite it book ${taken}.`)]
      : []
  })
}

/** Returns the ids of the holds that a request's lines cite, without repeats. */
export function holdsOf({ line_items = [] }: Pick<ReadableCreate, 'line_items'>): string[] {
  return [...new Set(line_items.flatMap(({ hold_id }) => (hold_id === undefined ? [] : [hold_id])))]
}

function unitsOf(lines: readonly Partly<HoldLine>[], like: Partly<HoldLine>): number {
  return lines.filter((line) => isLike(line, like)).reduce((sum, { units = 0 }) => sum + units, 0)
}

type Partly<T> = { [Member in keyof T]?: T[Member] | undefined }

function isLike(one: Partly<HoldLine>, other: Partly<HoldLine>): boolean {
  return (
    one.product_id === other.product_id &&
    one.period?.grain === other.period?.grain &&
    one.period?.start === other.period?.start &&
    one.spot_length === other.spot_length
  )
}
