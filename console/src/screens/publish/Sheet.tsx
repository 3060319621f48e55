import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type Ref, useEffect, useRef, useState } from 'react'
import { EditGrid } from '../../ui/EditGrid.tsx'
import type { CellAt } from '../../ui/editKeys.ts'
import { useKeys, useSingleKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { Controls } from './Controls.tsx'
import { headFaults } from './check.ts'
import { withHead } from './draft.ts'
import { EffectPanel } from './EffectPanel.tsx'
import { FaultList } from './FaultList.tsx'
import { Head, useSuggestedHead } from './Head.tsx'
import { KINDS, type Kind } from './kinds.ts'
import { LoadQuestion, NothingYet, PublishedNote } from './Notes.tsx'
import classes from './Publish.module.css'
import { useLoad } from './useLoad.ts'
import { type Publishing, usePublish } from './usePublish.ts'
import { type SheetState, useSheet } from './useSheet.ts'

/** The sheet for one kind of entry, next to the effect of publishing it. */
export function Sheet({ kind }: { kind: Kind }) {
  const [q, setQ] = useState('')
  const sheet = useSheet(kind, useSuggestedHead(kind), q)
  const { draft, at, setAt, filled } = sheet
  const publishing = usePublish(kind, draft, sheet.drop)
  const load = useLoad(kind, filled > 0, sheet.load)
  const grid = useGrid(draft.rows.length > 0)
  const onAt = (cell: CellAt) => {
    setAt(cell)
    grid.current?.focus()
  }
  return (
    <Page title={`Publish ${kind.title.toLowerCase()}`} aside={<Tabs />}>
      <div className={classes.split}>
        <div className={classes.sheet}>
          <Bar kind={kind} sheet={sheet} publishing={publishing} q={q} onFilter={setQ} />
          {sheet.note !== undefined && <Notice role="status" title={sheet.note} onClose={sheet.forgetNote} />}
          <LoadQuestion load={load} />
          <PublishedNote kind={kind} published={publishing.published} onClose={publishing.forgetPublished} />
          {draft.rows.length === 0 ? (
            <NothingYet kind={kind} sheet={sheet} load={load} />
          ) : (
            <Rows kind={kind} sheet={sheet} publishing={publishing} gridRef={grid} />
          )}
        </div>
        <EffectPanel
          kind={kind}
          publishing={publishing}
          filled={filled}
          faults={<FaultList kind={kind} rows={draft.rows} faults={publishing.result?.faults} at={at} onAt={onAt} />}
        />
      </div>
    </Page>
  )
}

interface BarProps {
  kind: Kind
  sheet: SheetState
  publishing: Publishing
  q: string
  onFilter: (q: string) => void
}

/** The values that all rows share, the filter, and the actions on rows. */
function Bar({ kind, sheet, publishing, q, onFilter }: BarProps) {
  const { draft, change } = sheet
  const filter = useRef<HTMLInputElement>(null)
  useKeys(`Publish ${kind.title.toLowerCase()}`, [
    { keys: '/', does: 'Filter', run: () => filter.current?.focus() },
    { keys: 'mod+i', does: 'Add a row below', run: sheet.addRow },
    { keys: 'mod+Backspace', does: 'Remove the selected rows', run: sheet.removeRows },
    { keys: 'mod+z', does: 'Undo', run: sheet.undo },
  ])
  return (
    <div className={classes.bar}>
      <Head
        kind={kind}
        head={draft.head}
        faults={headFaults(publishing.checkError, kind)}
        onChange={(id, text) => change(withHead(draft, id, text))}
      />
      <TextInput
        ref={filter}
        size="xs"
        type="search"
        label="Filter"
        w={130}
        value={q}
        onChange={(event) => onFilter(event.currentTarget.value)}
      />
      <Controls sheet={sheet} />
    </div>
  )
}

/** Focuses the grid when an empty sheet gets its first rows, so that keys work at once. */
function useGrid(hasRows: boolean) {
  const grid = useRef<HTMLElement>(null)
  const hadRows = useRef(hasRows)
  useEffect(() => {
    if (hasRows && !hadRows.current) grid.current?.focus()
    hadRows.current = hasRows
  }, [hasRows])
  return grid
}

interface RowsProps {
  kind: Kind
  sheet: SheetState
  publishing: Publishing
  gridRef: Ref<HTMLElement | null>
}

function Rows({ kind, sheet, publishing, gridRef }: RowsProps) {
  const { draft, shown, selection, setSelection, setCells, paste } = sheet
  const { rows } = draft
  const [singleKeys] = useSingleKeys()
  const faults = publishing.result?.faults
  return (
    <EditGrid
      label={`${kind.title} to publish`}
      columns={kind.columns}
      rows={rows}
      shown={shown}
      faultsOf={(index) => {
        const row = rows[index]
        return row && faults?.get(row)
      }}
      selection={selection}
      onSelection={setSelection}
      onChange={setCells}
      onPaste={paste}
      gridRef={gridRef}
      pageKeys={singleKeys ? ((faults?.size ?? 0) > 0 ? '?n' : '?') : ''}
    />
  )
}

function Tabs() {
  return (
    <nav className={classes.tabs} aria-label="What to publish">
      {Object.values(KINDS).map(({ id, title }) => (
        <Link
          key={id}
          to="/publish/$kind"
          params={{ kind: id }}
          className={classes.tab}
          activeProps={{ className: `${classes.tab} ${classes.tabHere}`, 'aria-current': 'page' }}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
