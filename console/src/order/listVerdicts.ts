import { queryOptions, useQueries } from '@tanstack/react-query'
import { inTurns } from '../api/inTurns.ts'
import type { OrderRow } from '../api/queries/orders.ts'
import type { Point } from './verdict.ts'

/** The most orders of a list whose verdicts are read. */
export const MAX_VERDICTS = 100

const inTurn = inTurns({ max: 4, ms: 50 })
const FRESH_MS = 60_000

/** The verdict on an order of a list: what speaks against it first; empty if it is too large for one. */
function verdictRead({ order_id, last_seq }: OrderRow) {
  return queryOptions({
    queryKey: ['order', order_id, 'verdict', last_seq] as const,
    queryFn: ({ client, signal }) => inTurn(async () => (await import('./readVerdict.ts')).readVerdict(client, order_id), signal),
    staleTime: FRESH_MS,
    retry: false,
  })
}

/** What is known of the verdicts of a list. */
export interface ListVerdicts {
  readonly of: ReadonlyMap<string, readonly Point[]>
  /** How many are being read. */
  readonly pending: number
}

/** Reads the verdicts of the first orders of a list, a few at a time. */
export function useListVerdicts(rows: readonly OrderRow[], isAsked: boolean): ListVerdicts {
  const asked = isAsked ? rows.slice(0, MAX_VERDICTS) : []
  const reads = useQueries({ queries: asked.map(verdictRead) })
  return {
    of: new Map(asked.flatMap(({ order_id }, index) => (reads[index]?.data ? [[order_id, reads[index].data] as const] : []))),
    pending: reads.filter(({ isPending }) => isPending).length,
  }
}

/** The worst of what a verdict says; undefined where nothing is known. */
export function toneOf(points: readonly Point[] | undefined): Point['tone'] | undefined {
  return points?.[0]?.tone
}
