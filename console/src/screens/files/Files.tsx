import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useMore } from '../../api/pages.ts'
import { type DropStatus, type DropSummary, dropList } from '../../api/queries/drops.ts'
import type { FilesSearch } from '../../routes/selling.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { withoutEmpty } from '../../ui/search.ts'
import { DropDetail } from './DropDetail.tsx'
import { DropMark } from './DropMark.tsx'
import classes from './Files.module.css'
import { rowKey } from './fileTypes.ts'
import { NewDrop } from './NewDrop.tsx'

const route = getRouteApi('/files')

const Mapper = lazy(async () => ({ default: (await import('./Mapper.tsx')).Mapper }))

/** The mapper, which few open, is loaded when it is. */
function LazyMapper({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={<Loading />}>
      <Mapper onClose={onClose} />
    </Suspense>
  )
}

/** The seller's file drops: each with its progress and its rejected rows. */
export function Files() {
  const { drop, status } = route.useSearch()
  const navigate = useNavigate()
  const set = (next: FilesSearch) =>
    void navigate({ from: '/files', to: '/files', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  const { rows, list, more } = useDrops(status)
  const [isNewOpen, setNewOpen] = useState(false)
  const [isMapping, setMapping] = useState(false)
  const active = rows.find(({ drop_id }) => drop_id === drop) ?? (drop === undefined ? rows[0] : undefined)
  const ids = rows.map(rowKey)
  const move = (step: number) => {
    const next = neighbor(ids, active && rowKey(active), step)
    set({ drop: rows.find((row) => rowKey(row) === next)?.drop_id ?? '' })
  }
  useKeys('Files', [
    ...rowKeys('drop', move),
    { keys: 'c', does: 'New drop', run: () => setNewOpen(true) },
    { keys: 'm', does: 'Columns of your own', run: () => setMapping(true) },
  ])
  const shownId = drop ?? active?.drop_id
  return (
    <Page title="Files" aside={<Filters status={status} set={set} onNew={() => setNewOpen(true)} onMap={() => setMapping(true)} />}>
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && drop === undefined && <NoDrops isFiltered={status !== undefined} />}
      {list.isSuccess && (rows.length > 0 || drop !== undefined) && (
        <div className={classes.split}>
          <Grid<DropSummary>
            label="File drops"
            columns={COLUMNS}
            rows={rows}
            rowId={rowKey}
            active={active && rowKey(active)}
            onActive={(key) => set({ drop: rows.find((row) => rowKey(row) === key)?.drop_id ?? '' })}
            onEnd={more}
          />
          <section className={classes.detail} aria-label="The drop">
            {shownId !== undefined && <DropDetail key={shownId} dropId={shownId} onMap={() => setMapping(true)} />}
          </section>
        </div>
      )}
      {isMapping && <LazyMapper onClose={() => setMapping(false)} />}
      <NewDrop
        opened={isNewOpen}
        onClose={() => setNewOpen(false)}
        onRegistered={(dropId) => {
          setNewOpen(false)
          void list.refetch()
          set({ drop: dropId, status: undefined })
        }}
      />
    </Page>
  )
}

function useDrops(status: DropStatus | undefined) {
  const list = useInfiniteQuery(dropList(status))
  const { data } = list
  const rows = useMemo(() => {
    const pages = data?.pages ?? []
    return [...(pages[0]?.waiting ?? []), ...pages.flatMap(({ items }) => items)]
  }, [data])
  return { rows, list, more: useMore(list) }
}

const COLUMNS: readonly Column<DropSummary>[] = [
  { id: 'status', title: 'Status', width: 116, cell: (drop) => <DropMark drop={drop} /> },
  { id: 'drop', title: 'Drop', width: 160, grow: 1, cell: ({ drop_id }) => drop_id },
  { id: 'written', title: 'Written', width: 76, align: 'right', cell: ({ rows_written }) => rows_written.toLocaleString('en-US') },
  { id: 'refused', title: 'Refused', width: 76, align: 'right', cell: ({ rows_rejected }) => rows_rejected.toLocaleString('en-US') },
  { id: 'at', title: 'Registered', width: 116, cell: ({ registered_at }) => <Instant at={registered_at} /> },
]

interface FiltersProps {
  readonly status: DropStatus | undefined
  readonly set: (next: FilesSearch) => void
  readonly onNew: () => void
  readonly onMap: () => void
}

function Filters({ status, set, onNew, onMap }: FiltersProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Status"
        value={status ?? ''}
        onChange={(event) => set({ status: (event.currentTarget.value || undefined) as DropStatus | undefined, drop: '' })}
        data={[
          { value: '', label: 'All drops' },
          { value: 'processing', label: 'Processing' },
          { value: 'success', label: 'Success' },
          { value: 'partial', label: 'Partial' },
          { value: 'rejected', label: 'Rejected' },
        ]}
      />
      <Button size="xs" variant="default" onClick={onMap} rightSection="m">
        Columns of your own
      </Button>
      <Button size="xs" onClick={onNew} rightSection="c">
        New drop
      </Button>
    </>
  )
}

function NoDrops({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No drop has this status">Show all drops to see the others.</Empty>
  return (
    <Empty title="No files yet">
      Upload files of a catalog, rates, avails or delivery with New drop, or let a program put them by SFTP or the API; they are listed
      here.
    </Empty>
  )
}
