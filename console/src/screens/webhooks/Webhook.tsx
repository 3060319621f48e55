import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { isRecent } from '../../api/clock.ts'
import { usePages } from '../../api/pages.ts'
import { type Delivery, deliveryList, type Endpoint, endpointRead } from '../../api/queries/webhooks.ts'
import type { WebhookSearch } from '../../routes/account.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { Deliveries } from './Deliveries.tsx'
import { DeliveryDetail } from './DeliveryDetail.tsx'
import { EndpointActions } from './EndpointActions.tsx'
import { EndpointState } from './state.tsx'
import classes from './Webhooks.module.css'

const route = getRouteApi('/webhooks/$id')
const RECENT_EVERY_MS = 1_500
const PENDING_EVERY_MS = 15_000

/** One endpoint: its state, the events sent to it, and the outcome of each attempt. */
export function Webhook() {
  const { id } = route.useParams()
  const { data: endpoint, error, isPending, refetch } = useQuery(endpointRead(id))
  return (
    <Page title={endpoint?.url ?? 'Webhook'} name="Webhook" aside={endpoint && <EndpointActions key={id} endpoint={endpoint} />}>
      <FaultAlert error={endpoint === undefined ? error : null} retry={() => void refetch()} />
      {isPending && <Loading />}
      {endpoint && <Log endpoint={endpoint} />}
    </Page>
  )
}

function Log({ endpoint }: { endpoint: Endpoint }) {
  const { endpoint_id: id } = endpoint
  const { status, delivery } = route.useSearch()
  const navigate = useNavigate()
  const { rows, list, more } = usePages({ ...deliveryList(id, status), refetchInterval: pollOf }, deliveriesOf)
  const set = (next: WebhookSearch) => void navigate({ to: '/webhooks/$id', params: { id }, search: next, replace: true })
  const filter = status === undefined ? {} : { status }
  const ids = rows.map(({ delivery_id }) => delivery_id)
  const current = delivery !== undefined && ids.includes(delivery) ? delivery : ids[0]
  const shown = rows.find(({ delivery_id }) => delivery_id === current)
  const move = (step: number) => {
    const next = neighbor(ids, current, step)
    if (next !== undefined) set({ ...filter, delivery: next })
  }
  useKeys('Deliveries', [
    { keys: 'j', does: 'Next delivery', run: () => move(1) },
    { keys: 'k', does: 'Previous delivery', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next delivery', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous delivery', run: () => move(-1) },
  ])
  return (
    <div className={classes.split}>
      <div className={classes.main}>
        <div className={classes.head}>
          <EndpointState endpoint={endpoint} />
          <SegmentedControl
            size="xs"
            aria-label="Deliveries"
            value={status ?? ''}
            onChange={(value) => set(value === '' ? {} : { status: value as Delivery['status'] })}
            data={FILTERS}
          />
        </div>
        <ListFault list={list} isEmpty={rows.length === 0} />
        {list.isPending && <Loading />}
        {list.isSuccess && rows.length === 0 && <NoDeliveries isFiltered={status !== undefined} />}
        {rows.length > 0 && (
          <Deliveries rows={rows} active={current} onActive={(next) => set({ ...filter, delivery: next })} onEnd={more} />
        )}
      </div>
      {shown && <DeliveryDetail key={shown.delivery_id} endpoint={endpoint} delivery={shown} />}
    </div>
  )
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No delivery has this status">Choose another one to see what was sent.</Empty>
  return <Empty title="Nothing was sent yet">Send a test event: the receiver should answer with 2xx within seconds.</Empty>
}

const FILTERS = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dropped', label: 'Dropped' },
]

/** Reads pending deliveries again until each has arrived or failed: often within the first minute, then less often. */
function pollOf({ state: { data } }: { state: { data?: { pages: { items: Delivery[] }[] } | undefined } }): number | false {
  const pending = (data?.pages ?? []).flatMap(deliveriesOf).filter(({ status }) => status === 'pending')
  if (pending.some(({ created_at }) => isRecent(created_at))) return RECENT_EVERY_MS
  return pending.length > 0 && PENDING_EVERY_MS
}

function deliveriesOf({ items }: { items: Delivery[] }): Delivery[] {
  return items
}
