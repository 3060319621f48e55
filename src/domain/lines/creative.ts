import type { Creative } from '../../contract/creative.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'

/** The members of a registered creative that a reference needs. */
export type RegisteredCreative = Pick<Creative, 'creative_id' | 'creative_code' | 'name' | 'length_seconds' | 'status'>

/** Checks that a creative is in the buyer's registry, is not archived and has the line's length (contract, Line item: creative_id). */
export function checkCreative(
  id: string,
  { spot_length }: Pick<ReadableLine, 'spot_length'>,
  registry: readonly RegisteredCreative[],
  field: string,
): Fault[] {
  const creative = registry.find(({ creative_id }) => creative_id === id)
  if (creative === undefined) return [{ error_code: 'UNKNOWN_CREATIVE', field, message: `${id} is not a creative of this buyer.` }]
  if (creative.status === 'archived') return [{ error_code: 'REFERENCE_ARCHIVED', field, message: `${id} is archived.` }]
  if (spot_length === undefined || creative.length_seconds === spot_length) return []
  const message = `${id} is ${creative.length_seconds} seconds long; the line books ${spot_length}.`
  return [{ error_code: 'CREATIVE_LENGTH_MISMATCH', field, message, details: { length_seconds: creative.length_seconds, spot_length } }]
}

/** Returns {creative_code, name, length_seconds}, frozen when the reference is stored (contract, Line item: creative_snapshot). */
export function creativeSnapshot(id: string | undefined, registry: readonly RegisteredCreative[]): LineResult['creative_snapshot'] {
  const creative = registry.find(({ creative_id }) => creative_id === id)
  if (creative === undefined) return undefined
  const { creative_code, name, length_seconds } = creative
  return { creative_code, name, length_seconds }
}
