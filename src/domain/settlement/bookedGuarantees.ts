import type { LineResult } from '../../contract/lineItem.ts'
import type { POST_STREAMS } from '../../contract/vocabulary/drops.ts'
import { acceptedLines, impressionsByUnit } from '../edi/blocks.ts'
import type { OrderState } from '../order/state.ts'

/** The audience that each unit of a line guarantees. */
export interface BookedGuarantee {
  readonly unit_id: string
  readonly audience_code: string
  /** The stream of the posts that count; null if the posting policy names none. */
  readonly stream: PostStream | null
  /** The impressions of one unit. */
  readonly per_unit: number
}

type PostStream = (typeof POST_STREAMS)[number]

/** Returns the guarantees of an order's accepted lines. */
export function bookedGuarantees(order: OrderState): BookedGuarantee[] {
  const booked = impressionsByUnit(order)
  return acceptedLines(order).flatMap(({ unit_id, rate, posting_policy }) => {
    const { buy_type, guaranteed_impressions: per_unit = booked.get(unit_id), audience_code } = rate
    if (buy_type !== 'audience_guaranteed' || per_unit === undefined || audience_code === undefined) return []
    return [{ unit_id, audience_code, stream: streamOf(posting_policy), per_unit }]
  })
}

/** Returns the stream that a policy names, in sellers' different spellings: `C3`, `live_plus_3`, `Live+3` and `L3` are one. */
function streamOf({ policy }: LineResult['posting_policy']): PostStream | null {
  const name =
    policy
      ?.toLowerCase()
      .replaceAll('plus', '')
      .replace(/[^a-z\d]/g, '') ?? ''
  return STREAMS.get(name) ?? null
}

const STREAMS: ReadonlyMap<string, PostStream> = new Map([
  ...['live', 'l', 'liveonly'].map((name) => [name, 'Live'] as const),
  ...['c3', 'live3', 'l3'].map((name) => [name, 'C3'] as const),
  ...['c7', 'live7', 'l7'].map((name) => [name, 'C7'] as const),
])
