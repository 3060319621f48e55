import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'

interface ListGridProps<Row> {
  readonly label: string
  /** The name of a row in the key map. */
  readonly one: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  readonly active: string | undefined
  readonly onActive: (id: string) => void
  readonly onOpen: (id: string) => void
  /** Reads the next page of a list that has more pages. */
  readonly more?: () => void
}

/** A list whose rows can be moved through and opened with keys. */
export function ListGrid<Row>({ label, one, rows, columns, rowId, active, onActive, onOpen, more }: ListGridProps<Row>) {
  const ids = rows.map(rowId)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const move = (step: number) => onActive(neighbor(ids, current, step) ?? '')
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
      {...(more && { onEnd: more })}
    />
  )
}
