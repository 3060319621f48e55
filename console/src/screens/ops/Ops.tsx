import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { opsHealth } from '../../api/queries/ops.ts'
import type { OpsSearch } from '../../routes/operations.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Page } from '../../ui/Page.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { ConnectionsView } from './ConnectionsView.tsx'
import { DeliveriesView } from './DeliveriesView.tsx'
import { DropsView } from './DropsView.tsx'
import { Figures } from './Figures.tsx'
import { MailsView } from './MailsView.tsx'
import classes from './Ops.module.css'
import { OrdersView } from './OrdersView.tsx'

const route = getRouteApi('/ops')

/** The operators' screen: figures for the whole marketplace, and below them the lists that need attention. */
export function Ops() {
  const search = route.useSearch()
  const { view = 'stuck', order = '' } = search
  const navigate = useNavigate()
  const filter = useRef<HTMLInputElement>(null)
  const { error, data, refetch } = useQuery(opsHealth)
  const set = (next: OpsSearch) =>
    void navigate({ from: '/ops', to: '/ops', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  useKeys('Operations', [
    { keys: '/', does: 'Find an order', run: () => filter.current?.focus() },
    ...VIEWS.map(({ id, title }, index) => ({
      keys: String(index + 1),
      does: `Show ${title.toLowerCase()}`,
      run: () => void navigate({ to: '/ops', search: { view: id } }),
    })),
  ])
  return (
    <Page
      title="Operations"
      aside={
        <TextInput
          ref={filter}
          size="xs"
          type="search"
          aria-label="Find an order"
          placeholder="Order id"
          w={280}
          value={order}
          onChange={(event) => set({ order: event.currentTarget.value.trim(), ...(isOfOrders(view) ? {} : { view: 'stuck' }) })}
        />
      }
    >
      <FaultAlert error={data === undefined ? error : null} retry={() => void refetch()} />
      <Figures />
      <nav className={classes.views} aria-label="Views">
        {VIEWS.map(({ id, title }) => (
          <Link key={id} to="/ops" search={{ view: id }} className={classes.view} {...(id === view && { 'aria-current': 'page' as const })}>
            {title}
          </Link>
        ))}
      </nav>
      <div className={classes.list}>
        {isOfOrders(view) && <OrdersView search={search} set={set} />}
        {view === 'deliveries' && <DeliveriesView search={search} set={set} />}
        {view === 'drops' && <DropsView search={search} set={set} />}
        {(view === 'mails' || view === 'failed-mails') && <MailsView search={search} set={set} />}
        {view === 'connections' && <ConnectionsView search={search} set={set} />}
      </div>
    </Page>
  )
}

const VIEWS = [
  { id: 'stuck', title: 'Stuck' },
  { id: 'overdue', title: 'Overdue' },
  { id: 'open', title: 'Open' },
  { id: 'deliveries', title: 'Deliveries' },
  { id: 'drops', title: 'Drops' },
  { id: 'mails', title: 'Mails' },
  { id: 'failed-mails', title: 'Failed mails' },
  { id: 'connections', title: 'Connections' },
] as const

function isOfOrders(view: NonNullable<OpsSearch['view']>): boolean {
  return view === 'stuck' || view === 'overdue' || view === 'open'
}
