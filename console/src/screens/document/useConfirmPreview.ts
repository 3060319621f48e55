import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Confirm, confirmPreview, type Order } from '../../api/queries/orders.ts'
import type { Unresolved } from './parse.ts'

const TYPING_MS = 200

/** What a confirm would do with what is said: its lines, or the values and totals that it would refuse. */
export interface Previewed {
  /** The lines that would be booked, in the order of the document; undefined unless everything can be. */
  readonly booked: Order['line_items'] | undefined
  readonly totals: Order['totals'] | undefined
  readonly unresolved: readonly Unresolved[]
  /** The totals that do not tie. */
  readonly equations: readonly string[]
  /** A refusal of another kind. */
  readonly error: unknown
  /** Whether this is of what is said now. */
  readonly isCurrent: boolean
}

/** Asks the marketplace what a confirm would do, while it can be asked. */
export function useConfirmPreview(order: Order, body: Confirm | undefined): Previewed {
  const text = JSON.stringify(body ?? null)
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const asked = JSON.parse(settled) as Confirm | null
  const preview = useQuery({
    ...confirmPreview({ orderId: order.order_id, lastSeq: order.last_seq, body: asked ?? EMPTY }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })
  const { data } = preview
  const refused = (data?.unresolved ?? []) as (Partial<Unresolved> & { equation_id?: string })[]
  return {
    booked: data?.preview?.line_items,
    totals: data?.preview?.totals,
    unresolved: refused.filter((value): value is Unresolved => value.line !== undefined && value.field !== undefined),
    equations: refused.flatMap(({ equation_id }) => equation_id ?? []),
    error: preview.error,
    isCurrent: asked !== null && settled === text && !preview.isPlaceholderData && !preview.isPending,
  }
}

const EMPTY: Confirm = { action: 'confirm', actor: '' }
