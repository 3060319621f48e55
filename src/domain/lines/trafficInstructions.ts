import type { Fault } from '../../contract/errorEnvelope.ts'
import type { TrafficInstructions } from '../../contract/lineItem.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'
import { decimal, jsonNumber, sameAmount, sum } from '../decimal.ts'
import { invalid } from '../refusal.ts'
import { checkCreative, type RegisteredCreative } from './creative.ts'

/**
 * Checks the rotation of a line (contract, Traffic instructions). `equal` takes no pct; `weighted` takes one on every entry, with at most two
 * decimal places, and they sum to exactly 100. The line's creative is one of the splits, and each split passes the checks of the line's creative.
 */
export function checkTrafficInstructions(item: ReadableLine, registry: readonly RegisteredCreative[], at: string): Fault[] {
  const { traffic_instructions: instructions, creative_id } = item
  if (instructions === undefined) return []
  const splits = `${at}.creative_splits`
  const faults = instructions.creative_splits.flatMap((split, index) => [
    ...checkPct(instructions.rotation, split.pct, `${splits}.${index}.pct`),
    ...checkCreative(split.creative_id, item, registry, `${splits}.${index}.creative_id`),
  ])
  const ids = instructions.creative_splits.map((split) => split.creative_id)
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) faults.push(invalid(`${splits}.${index}.creative_id`, `${id} is listed twice.`))
  }
  if (creative_id === undefined || !ids.includes(creative_id)) {
    faults.push(invalid(splits, `${splits} must contain the creative_id of the line.`))
  }
  const pcts = instructions.creative_splits.map(({ pct }) => pct)
  if (instructions.rotation === 'weighted' && pcts.every((pct) => pct !== undefined)) {
    const total = sum(pcts)
    if (!sameAmount(total, 100))
      faults.push(invalid(splits, `The pct of all splits must sum to exactly 100; they sum to ${total.toString()}.`))
  }
  return faults
}

function checkPct(rotation: TrafficInstructions['rotation'], pct: number | undefined, field: string): Fault[] {
  if (rotation === 'equal')
    return pct === undefined ? [] : [invalid(field, `${field} must not be sent in an equal rotation; the platform computes the shares.`)]
  if (pct === undefined) return [{ ...invalid(field, `${field} is required on every split of a weighted rotation.`), missing: true }]
  if (pct <= 0 || pct > 100) return [invalid(field, `${field} must be greater than 0 and at most 100.`)]
  return decimal(pct).round(2, 0).eq(decimal(pct)) ? [] : [invalid(field, `${field} must have at most two decimal places.`)]
}

/** 100 percent in hundredths of a percent. */
const WHOLE = 10_000

/** Adds the shares of an equal rotation: floored to two places, with the missing hundredths given one each to the first splits. */
export function withShares(instructions: TrafficInstructions): TrafficInstructions {
  if (instructions.rotation === 'weighted') return instructions
  const count = instructions.creative_splits.length
  const hundredths = Math.floor(WHOLE / count)
  const missing = WHOLE % count
  const creative_splits = instructions.creative_splits.map(({ creative_id }, index) => {
    const share = decimal(hundredths + (index < missing ? 1 : 0)).div(decimal(100))
    return { creative_id, pct: jsonNumber(share) }
  })
  return { ...instructions, creative_splits }
}
