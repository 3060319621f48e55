import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { usePages } from '../../api/pages.ts'
import { type Endpoint, endpointList } from '../../api/queries/webhooks.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { RegisterDialog } from './RegisterDialog.tsx'
import { EndpointState } from './state.tsx'

const route = getRouteApi('/webhooks')

/** Lists the endpoints that events are posted to. */
export function Webhooks() {
  const { active } = route.useSearch()
  const navigate = useNavigate()
  const isDown = useDownSince() !== undefined
  const [isRegistering, setRegistering] = useState(false)
  const { rows, list, more } = usePages(endpointList, endpointsOf)
  const open = (id: string) => void navigate({ to: '/webhooks/$id', params: { id } })
  const ids = rows.map(endpointId)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const setActive = (id: string | undefined) =>
    id !== undefined && void navigate({ to: '/webhooks', search: { active: id }, replace: true })
  const move = (step: number) => setActive(neighbor(ids, current, step))
  useKeys('Webhooks', [
    { keys: 'j', does: 'Next endpoint', run: () => move(1) },
    { keys: 'k', does: 'Previous endpoint', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next endpoint', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous endpoint', run: () => move(-1) },
    { keys: 'Enter', does: 'Open the endpoint', run: () => current !== undefined && open(current) },
    { keys: 'c', does: 'Register an endpoint', run: () => setRegistering(true) },
  ])
  return (
    <Page
      title="Webhooks"
      aside={
        <Button size="xs" disabled={isDown} onClick={() => setRegistering(true)}>
          Register an endpoint
        </Button>
      }
    >
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && (
        <Empty title="No endpoint yet">Register the address of your receiver: it hears of each event, signed and at once.</Empty>
      )}
      {rows.length > 0 && (
        <Grid<Endpoint>
          label="Webhook endpoints"
          columns={COLUMNS}
          rows={rows}
          rowId={endpointId}
          active={current}
          onActive={setActive}
          onOpen={open}
          onEnd={more}
        />
      )}
      {isRegistering && <RegisterDialog onClose={() => setRegistering(false)} onRegistered={open} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { id: 'url', title: 'Address', width: 280, grow: 3, cell: ({ url }) => url },
  { id: 'state', title: 'State', width: 200, grow: 1, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { id: 'events', title: 'Events', width: 180, grow: 1, cell: ({ events }) => events?.join(', ') ?? 'all that you may read' },
  {
    id: 'statuses',
    title: 'Order statuses',
    width: 160,
    grow: 1,
    cell: ({ statuses }) => statuses?.join(', ').replaceAll('_', ' ') ?? 'all',
  },
  { id: 'created', title: 'Created', width: 116, align: 'right', cell: ({ created_at }) => <Instant at={created_at} /> },
]

function endpointsOf({ items }: { items: Endpoint[] }): Endpoint[] {
  return items
}

function endpointId({ endpoint_id }: Endpoint): string {
  return endpoint_id
}
