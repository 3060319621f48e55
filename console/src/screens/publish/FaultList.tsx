import { Button, Text } from '@mantine/core'
import { useMemo } from 'react'
import { download } from '../../ui/csv.ts'
import type { EditRow, RowFaults } from '../../ui/EditGrid.tsx'
import type { CellAt } from '../../ui/editKeys.ts'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { csvOf } from '../../ui/tables.ts'
import type { Kind } from './kinds.ts'
import classes from './Publish.module.css'

interface FaultListProps {
  kind: Kind
  rows: readonly EditRow[]
  faults: ReadonlyMap<EditRow, RowFaults> | undefined
  at: CellAt
  onAt: (at: CellAt) => void
}

interface CellFault extends CellAt {
  readonly title: string
  readonly value: string
  readonly message: string
}

const SHOWN = 6

/** Lists the faults in the order of the rows; `n` goes to the next one. */
export function FaultList({ kind, rows, faults, at, onAt }: FaultListProps) {
  const all = useMemo(() => faultsInOrder(kind, rows, faults), [kind, rows, faults])
  const next = () => {
    const fault = all.find(({ row, column }) => row > at.row || (row === at.row && column > at.column)) ?? all[0]
    if (fault !== undefined) onAt({ row: fault.row, column: fault.column })
  }
  useKeys('Faults', all.length > 0 ? [{ keys: 'n', does: 'Next fault', run: next }] : [])
  if (all.length === 0) return null
  return (
    <section className={classes.faults} aria-label="Faults">
      <div className={classes.faultHead}>
        <Text size="sm" fw={600} className={classes.bad}>
          {countText(all.length, 'fault')}
        </Text>
        <Button size="compact-xs" variant="default" onClick={next} rightSection={<kbd>n</kbd>}>
          Next
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => download(`${kind.id}-faults.csv`, csvText(all))}>
          CSV
        </Button>
      </div>
      <ul>
        {all.slice(0, SHOWN).map(({ row, column, title, message }) => (
          <li key={`${row}:${column}`}>
            <button type="button" className={classes.faultAt} onClick={() => onAt({ row, column })}>
              Row {row + 1}, {title}
            </button>{' '}
            {message}
          </li>
        ))}
      </ul>
      {all.length > SHOWN && <p className={classes.note}>and {countText(all.length - SHOWN, 'more', 'more')}, all of them in the CSV</p>}
    </section>
  )
}

function faultsInOrder({ columns }: Kind, rows: readonly EditRow[], faults: FaultListProps['faults']): CellFault[] {
  if (faults === undefined || faults.size === 0) return []
  return rows.flatMap((cells, row) => {
    const ofRow = faults.get(cells)
    if (ofRow === undefined) return []
    return columns.flatMap(({ id, title }, column) => {
      const message = ofRow.get(id)
      return message === undefined ? [] : [{ row, column, title, value: cells[id] ?? '', message }]
    })
  })
}

function csvText(faults: readonly CellFault[]): string {
  return csvOf([['row', 'column', 'value', 'fault'], ...faults.map(({ row, title, value, message }) => [row + 1, title, value, message])])
}
