import { useInfiniteQuery } from '@tanstack/react-query'
import { type OpsConnection, opsConnections } from '../../api/queries/ops.ts'
import type { OpsSearch } from '../../routes/operations.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { OpsList } from './OpsList.tsx'

/** Lists sellers' own APIs with the outcome of the latest calls to them. */
export function ConnectionsView({ search, set }: { search: OpsSearch; set: (next: OpsSearch) => void }) {
  const list = useInfiniteQuery(opsConnections)
  return (
    <OpsList<OpsConnection>
      label="Connections"
      one="connection"
      list={list}
      columns={COLUMNS}
      rowId={({ seller }) => seller}
      active={search.active}
      onActive={(id) => set({ active: id })}
      empty={<Empty title="No seller has an API of its own">Sellers come here when their profile declares one.</Empty>}
    />
  )
}

const COLUMNS: readonly Column<OpsConnection>[] = [
  { id: 'seller', title: 'Seller', width: 130, grow: 1, cell: ({ seller }) => seller },
  { id: 'host', title: 'Host', width: 180, grow: 1.4, cell: ({ host }) => host },
  { id: 'state', title: 'State', width: 90, cell: ({ state }) => <span className={state === 'failing' ? classes.bad : ''}>{state}</span> },
  {
    id: 'serves',
    title: 'Asked for',
    width: 160,
    grow: 1,
    cell: ({ approval, realtime_availability, holds }) =>
      [approval === 'pull' && 'decisions', realtime_availability && 'availability', holds && 'holds'].filter(Boolean).join(', '),
  },
  { id: 'waiting', title: 'Waiting', width: 76, align: 'right', cell: ({ waiting }) => waiting },
  {
    id: 'stuck',
    title: 'Stuck',
    width: 180,
    grow: 1.4,
    cell: ({ stuck }) => stuck.map(({ reason, orders }) => `${reasonText(reason)} ${orders}`).join(', '),
  },
  { id: 'unanswered', title: 'Unanswered', width: 92, align: 'right', cell: ({ most_unanswered }) => most_unanswered },
  { id: 'asked', title: 'Last asked', width: 116, align: 'right', cell: ({ last_asked_at: at }) => at && <Instant at={at} /> },
]
