import { useCallback } from 'react'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'

interface ListGridProps<Row> {
  readonly label: string
  /** What a row is called in the key map. */
  readonly one: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  readonly active: string | undefined
  readonly onActive: (id: string) => void
  readonly onOpen: (id: string) => void
  readonly list: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown }
}

/** A list that keys move through and open. */
export function ListGrid<Row>({ label, one, rows, columns, rowId, active, onActive, onOpen, list }: ListGridProps<Row>) {
  const ids = rows.map(rowId)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const move = (step: number) => onActive(neighbor(ids, current, step) ?? '')
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  useKeys(label, [
    { keys: 'j', does: `Next ${one}`, run: () => move(1) },
    { keys: 'k', does: `Previous ${one}`, run: () => move(-1) },
    { keys: 'ArrowDown', does: `Next ${one}`, run: () => move(1) },
    { keys: 'ArrowUp', does: `Previous ${one}`, run: () => move(-1) },
    { keys: 'Enter', does: `Open the ${one}`, run: () => current !== undefined && onOpen(current) },
  ])
  if (rows.length === 0) return null
  return (
    <Grid<Row>
      label={label}
      columns={columns}
      rows={rows}
      rowId={rowId}
      active={current}
      onActive={onActive}
      onOpen={onOpen}
      onEnd={more}
    />
  )
}
