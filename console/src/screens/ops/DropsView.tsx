import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type OpsDrop, opsDrops } from '../../api/queries/ops.ts'
import type { OpsSearch } from '../../routes/operations.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { countText } from '../../ui/Money.tsx'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { OpsList } from './OpsList.tsx'
import { RunLink } from './RunLink.tsx'

/** Lists the file drops of all sellers, newest first. */
export function DropsView({ search, set }: { search: OpsSearch; set: (next: OpsSearch) => void }) {
  const list = useInfiniteQuery(opsDrops(undefined))
  return (
    <OpsList<OpsDrop>
      label="Drops"
      one="drop"
      list={list}
      columns={COLUMNS}
      rowId={idOf}
      active={search.active}
      onActive={(id) => set({ active: id })}
      empty={<Empty title="No drop yet">File drops of sellers come here with their stage and what was refused.</Empty>}
      bar={(drop) => (
        <section className={classes.bar} aria-label="The drop">
          <div className={classes.barRow}>
            <Text size="sm" className={classes.facts}>
              <strong>
                {drop.seller}/{drop.drop_id}
              </strong>{' '}
              run {drop.run_no}, {countText(drop.error_count, 'error')}
              {drop.stuck_reason && `, ${reasonText(drop.stuck_reason)}`}
            </Text>
            <RunLink run={drop.run_id} />
          </div>
        </section>
      )}
    />
  )
}

function idOf({ seller, drop_id, run_no }: OpsDrop): string {
  return `${seller}/${drop_id}/${run_no}`
}

const COLUMNS: readonly Column<OpsDrop>[] = [
  { id: 'seller', title: 'Seller', width: 130, grow: 1, cell: ({ seller }) => seller },
  { id: 'drop', title: 'Drop', width: 160, grow: 1.4, cell: ({ drop_id }) => drop_id },
  {
    id: 'status',
    title: 'Status',
    width: 100,
    cell: ({ status }) => <span className={status === 'rejected' ? classes.bad : ''}>{status}</span>,
  },
  { id: 'stage', title: 'Stage', width: 80, cell: ({ stage }) => stage },
  { id: 'stuck', title: 'Stuck', width: 130, grow: 1, cell: ({ stuck_reason }) => stuck_reason && reasonText(stuck_reason) },
  { id: 'written', title: 'Written', width: 80, align: 'right', cell: ({ rows_written }) => rows_written },
  { id: 'refused', title: 'Refused', width: 80, align: 'right', cell: ({ rows_rejected }) => rows_rejected },
  { id: 'registered', title: 'Registered', width: 116, align: 'right', cell: ({ registered_at }) => <Instant at={registered_at} /> },
  { id: 'ended', title: 'Ended', width: 116, align: 'right', cell: ({ ended_at }) => ended_at && <Instant at={ended_at} /> },
]
