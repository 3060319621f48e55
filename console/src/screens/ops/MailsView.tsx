import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type OpsMail, opsMails } from '../../api/queries/ops.ts'
import type { OpsSearch } from '../../routes/operations.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { countText } from '../../ui/Money.tsx'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { OpsList } from './OpsList.tsx'
import { RunLink } from './RunLink.tsx'

/** Lists the order mails of all tenants that wait or did not arrive, with the reason. */
export function MailsView({ search, set }: { search: OpsSearch; set: (next: OpsSearch) => void }) {
  const state = search.view === 'failed-mails' ? 'failed' : 'waiting'
  const list = useInfiniteQuery(opsMails(state))
  return (
    <OpsList<OpsMail>
      label="Mails"
      one="mail"
      list={list}
      columns={COLUMNS}
      rowId={({ message_id }) => message_id}
      active={search.active}
      onActive={(id) => set({ active: id })}
      empty={<Empty title={EMPTY[state]}>Order mails of sellers come here while they wait, and when they fail or come back.</Empty>}
      bar={(mail) => (
        <section className={classes.bar} aria-label="The mail">
          <div className={classes.barRow}>
            <Text size="sm" className={classes.facts}>
              <strong>{mail.document}</strong> of {mail.order_id}, {countText(mail.attempts, 'attempt')}
              {mail.reason && `, ${reasonText(mail.reason)}`}
            </Text>
            <Link to="/ops" search={{ view: 'open', order: mail.order_id }}>
              The order
            </Link>
            <RunLink run={mail.run_id} />
          </div>
        </section>
      )}
    />
  )
}

const EMPTY = { waiting: 'No mail waits', failed: 'No mail failed' } as const

const COLUMNS: readonly Column<OpsMail>[] = [
  { id: 'order', title: 'Order', width: 220, grow: 1, cell: ({ order_id }) => order_id },
  { id: 'seller', title: 'Seller', width: 120, grow: 1, cell: ({ seller }) => seller },
  { id: 'buyer', title: 'Buyer', width: 120, grow: 1, cell: ({ buyer_entity }) => buyer_entity },
  { id: 'document', title: 'Document', width: 100, cell: ({ document }) => document },
  {
    id: 'status',
    title: 'Status',
    width: 90,
    cell: ({ status }) => <span className={status === 'queued' ? '' : classes.bad}>{status}</span>,
  },
  { id: 'reason', title: 'Reason', width: 160, grow: 1.4, cell: ({ reason }) => reason && reasonText(reason) },
  { id: 'attempts', title: 'Tried', width: 64, align: 'right', cell: ({ attempts }) => attempts },
  { id: 'created', title: 'Since', width: 116, align: 'right', cell: ({ created_at }) => <Instant at={created_at} /> },
  { id: 'next', title: 'Next attempt', width: 116, align: 'right', cell: ({ next_attempt_at: at }) => at && <Instant at={at} /> },
]
