import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useMore } from '../../api/pages.ts'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'

type List<Row> = UseInfiniteQueryResult<InfiniteData<{ items: Row[] }>>

interface OpsListProps<Row> {
  readonly label: string
  /** The name of a row in the key map. */
  readonly one: string
  readonly list: List<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  readonly active: string | undefined
  readonly onActive: (id: string) => void
  readonly empty: ReactNode
  /** Renders the actions for the active row. */
  readonly bar?: (row: Row) => ReactNode
}

/** A list for operators: keys move through the rows, and a bar below shows the actions for the active row. */
export function OpsList<Row>({ label, one, list, columns, rowId, active, onActive, empty, bar }: OpsListProps<Row>) {
  const { data, isPending, isSuccess } = list
  const more = useMore(list)
  const rows = useMemo(() => (data?.pages ?? []).flatMap(({ items }) => items), [data])
  const ids = rows.map(rowId)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const row = rows[ids.indexOf(current ?? '')]
  const move = (step: number) => onActive(neighbor(ids, current, step) ?? '')
  useKeys(label, [
    { keys: 'j', does: `Next ${one}`, run: () => move(1) },
    { keys: 'k', does: `Previous ${one}`, run: () => move(-1) },
    { keys: 'ArrowDown', does: `Next ${one}`, run: () => move(1) },
    { keys: 'ArrowUp', does: `Previous ${one}`, run: () => move(-1) },
  ])
  return (
    <>
      <ListFault list={list} isEmpty={rows.length === 0} />
      {isPending && <Loading />}
      {isSuccess && rows.length === 0 && empty}
      {rows.length > 0 && (
        <Grid<Row> label={label} columns={columns} rows={rows} rowId={rowId} active={current} onActive={onActive} onEnd={more} />
      )}
      {row !== undefined && bar?.(row)}
    </>
  )
}
