import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { serverNow } from '../../api/clock.ts'
import { type CardEntry, cardEntries, ownAvails, ownCatalog } from '../../api/queries/publishing.ts'
import type { EditRow } from '../../ui/EditGrid.tsx'
import { weeksFrom } from '../../ui/weeks.ts'
import { rowOf } from './cells.ts'
import { MAX_ROWS } from './draft.ts'
import { availRow, KINDS, type Kind } from './kinds.ts'

const route = getRouteApi('/publish/$kind')

/** Starts a draft from published data: the catalog, the avails of the next half year, or the card that the address names. */
export function useLoad(kind: Kind, hasDraft: boolean, onLoaded: (head: EditRow, rows: readonly EditRow[]) => void) {
  const { from } = route.useSearch()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const decline = () => void navigate({ to: '/publish/$kind', params: { kind: kind.id }, replace: true })
  const { mutate, isIdle, isPending, error } = useMutation({
    mutationFn: () => readRows(queries, kind, from),
    onSuccess: ({ head, rows }) => {
      onLoaded(head, rows)
      if (from !== undefined) decline()
    },
  })
  const isAsked = from !== undefined
  useEffect(() => {
    if (isAsked && !hasDraft && isIdle) mutate()
  }, [isAsked, hasDraft, isIdle, mutate])
  return {
    load: () => mutate(),
    decline,
    /** The card whose rows would replace the existing draft, if the user agrees. */
    asks: isAsked && hasDraft ? from : undefined,
    isLoading: isPending,
    error,
  }
}

export type Load = ReturnType<typeof useLoad>

const WEEKS = 26

async function readRows(queries: QueryClient, kind: Kind, from: string | undefined): Promise<{ head: EditRow; rows: EditRow[] }> {
  const loaded = await loadedRows(queries, kind, from)
  if (loaded.rows.length > MAX_ROWS) throw new Error(`There are ${loaded.rows.length} rows, and the grid holds ${MAX_ROWS}.`)
  return loaded
}

async function loadedRows(queries: QueryClient, { id, columns }: Kind, from: string | undefined) {
  if (id === 'catalog') {
    const { products, taxonomy_version } = await queries.fetchQuery(ownCatalog)
    return {
      head: taxonomy_version === null ? {} : { taxonomy_version },
      rows: products.map((product) => rowOf(columns, product)),
    }
  }
  if (id === 'avails') {
    const weeks = weeksFrom(serverNow(), WEEKS)
    const avails = await queries.fetchQuery(ownAvails(`${weeks[0]}..${weeks.at(-1)}`))
    return { head: {}, rows: avails.map(availRow) }
  }
  if (from === undefined) return { head: {}, rows: [] }
  const { effective, agreement_id, entries } = await queries.fetchQuery(cardEntries(from))
  const head = { 'effective.start': effective.start, 'effective.end': effective.end, ...(agreement_id && { agreement_id }) }
  return { head, rows: cardRows(entries, effective) }
}

/** Turns a card's weekly prices into rows; a price that is the same in every week becomes one row for all of them. */
export function cardRows(entries: readonly CardEntry[], { start, end }: { start: string; end: string }): EditRow[] {
  const weeks = weeksFrom(Date.parse(start), Math.ceil((Date.parse(end) - Date.parse(start)) / WEEK_MS) + 1)
  const last = weeksFrom(Date.parse(end), 1)[0]
  const inAll = weeks.indexOf(last ?? '') + 1
  const byPrice = new Map<string, EditRow[]>()
  for (const entry of entries) {
    const row = rowOf(KINDS.rates.columns, entry)
    const key = JSON.stringify({ ...row, week: '' })
    byPrice.set(key, [...(byPrice.get(key) ?? []), row])
  }
  return [...byPrice.values()].flatMap((rows) => (rows.length === inAll && rows[0] ? [withoutWeek(rows[0])] : rows))
}

const WEEK_MS = 7 * 86_400_000

function withoutWeek({ week: _, ...row }: EditRow): EditRow {
  return row
}
