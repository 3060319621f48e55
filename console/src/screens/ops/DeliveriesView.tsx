import { Button, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type OpsDelivery, type OpsEndpoint, opsDeliveries, opsEndpoints, resendDelivery } from '../../api/queries/ops.ts'
import type { OpsSearch } from '../../routes/operations.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { OpsList } from './OpsList.tsx'

/** Lists webhook endpoints whose deliveries are waiting or failing, and the deliveries of the active endpoint. */
export function DeliveriesView({ search, set }: { search: OpsSearch; set: (next: OpsSearch) => void }) {
  const list = useInfiniteQuery(opsEndpoints)
  return (
    <OpsList<OpsEndpoint>
      label="Endpoints"
      one="endpoint"
      list={list}
      columns={COLUMNS}
      rowId={({ endpoint_id }) => endpoint_id}
      active={search.active}
      onActive={(id) => set({ active: id })}
      empty={
        <Empty title="Every delivery goes through">
          Endpoints come here while deliveries wait for them, fail, or when they are disabled.
        </Empty>
      }
      bar={(row) => <Deliveries key={row.endpoint_id} endpoint={row} />}
    />
  )
}

function Deliveries({ endpoint: { endpoint_id, host, status } }: { endpoint: OpsEndpoint }) {
  const { data, error, isPending } = useInfiniteQuery(opsDeliveries(endpoint_id))
  const items = data?.pages[0]?.items ?? []
  return (
    <section className={classes.bar} aria-label={`Deliveries to ${host}`}>
      <FaultAlert error={data === undefined ? error : null} />
      {isPending && <Loading />}
      {status === 'disabled' && (
        <Text size="sm">The endpoint is disabled: its tenant enables it, then what was dropped can be sent again.</Text>
      )}
      <ol className={classes.deliveries}>
        {items.slice(0, SHOWN).map((one) => (
          <Attempted key={one.delivery_id} endpointId={endpoint_id} delivery={one} canResend={status === 'active'} />
        ))}
      </ol>
      {data !== undefined && items.length === 0 && <Text size="sm">Nothing was sent to it in the last 30 days.</Text>}
    </section>
  )
}

const SHOWN = 20

function Attempted({ endpointId, delivery, canResend }: { endpointId: string; delivery: OpsDelivery; canResend: boolean }) {
  const queries = useQueryClient()
  const resend = useMutation({
    mutationFn: () => resendDelivery(endpointId, delivery.delivery_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['ops', 'deliveries'] }),
  })
  const { event_type, order_id, seq, status, dropped_reason, created_at, attempts } = delivery
  const last = attempts.at(-1)
  return (
    <li>
      <Instant at={created_at} />
      <span>{event_type}</span>
      <span className={classes.grow}>{order_id !== undefined && `${order_id}, event ${seq}`}</span>
      <span className={status === 'dropped' ? classes.bad : ''}>
        {status}
        {dropped_reason !== undefined && `: ${reasonText(dropped_reason)}`}
      </span>
      <span>{last === undefined ? 'no attempt' : `${attempts.length} tried, ${last.status_code ?? last.error}`}</span>
      {canResend && status !== 'pending' && (
        <Button size="compact-xs" variant="default" loading={resend.isPending} disabled={resend.isSuccess} onClick={() => resend.mutate()}>
          {resend.isSuccess ? 'Sent again' : 'Send again'}
        </Button>
      )}
      <FaultAlert error={resend.error} />
    </li>
  )
}

const COLUMNS: readonly Column<OpsEndpoint>[] = [
  { id: 'host', title: 'Host', width: 180, grow: 1.4, cell: ({ host }) => host },
  { id: 'tenant', title: 'Tenant', width: 130, grow: 1, cell: ({ tenant }) => tenant },
  {
    id: 'status',
    title: 'Status',
    width: 150,
    grow: 1,
    cell: ({ status, disabled_reason }) => (disabled_reason === null ? status : `${status}: ${reasonText(disabled_reason)}`),
  },
  { id: 'waiting', title: 'Waiting', width: 76, align: 'right', cell: ({ waiting }) => waiting },
  { id: 'dropped', title: 'Dropped', width: 76, align: 'right', cell: ({ dropped }) => dropped },
  { id: 'oldest', title: 'Oldest', width: 116, align: 'right', cell: ({ oldest_waiting_at: at }) => at && <Instant at={at} /> },
  { id: 'next', title: 'Next attempt', width: 116, align: 'right', cell: ({ next_attempt_at: at }) => at && <Instant at={at} /> },
  { id: 'failing', title: 'Failing since', width: 116, align: 'right', cell: ({ failing_since: at }) => at && <Instant at={at} /> },
]
