import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { opsOrder } from '../../api/queries/ops.ts'
import { Due, Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { OrderBar } from './OrderBar.tsx'

const route = getRouteApi('/ops/orders/$id')
type Read = NonNullable<ReturnType<typeof useRead>['data']>

function useRead(id: string) {
  return useQuery(opsOrder(id))
}

/** An order as operators see it, read alone: what it waits for, what holds it up, and when it moved. */
export function OpsOrderPage() {
  const { id } = route.useParams()
  const { data, error, isPending, refetch } = useRead(id)
  return (
    <Page title={id} aside={data && <Status of={data.status} substatus={data.substatus} />}>
      <FaultAlert error={data === undefined ? error : null} retry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <div className={classes.order}>
          <Facts order={data} />
          <OrderBar order={data} />
          <Timeline order={data} />
        </div>
      )}
    </Page>
  )
}

function Facts({ order }: { order: Read }) {
  const { seller, buyer_entity, workflow, created_at, waits_on, parked_since, decide_by, stuck_reason, overdue } = order
  return (
    <dl className={classes.about}>
      <Fact name="Stuck">
        {stuck_reason === null ? (
          <Mark icon="check" tone="good" word="No" />
        ) : (
          <Mark icon="alert" tone="bad" word={reasonText(stuck_reason)} detail={stuck_reason} />
        )}
      </Fact>
      <Fact name="Waits on">
        {waits_on ?? 'nobody'}
        {parked_since !== null && (
          <>
            , since <Instant at={parked_since} />
          </>
        )}
      </Fact>
      <Fact name="Decision">
        {decide_by === null ? 'no deadline' : <Due by={decide_by} ahead="due in" />}
        {overdue && ', overdue'}
      </Fact>
      <Fact name="Seller">{seller}</Fact>
      <Fact name="Buyer">{buyer_entity}</Fact>
      <Fact name="Kind">{workflow}</Fact>
      <Fact name="Created">
        <Instant at={created_at} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** When the order moved and by which kind of decision, the latest first; what it orders is its parties'. */
function Timeline({ order: { events } }: { order: Read }) {
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <ol className={classes.timeline} reversed>
        {events.toReversed().map(({ seq, occurred_at, status, substatus, gate, decision, error_code }) => (
          <li key={seq} value={seq}>
            <Status of={status} substatus={substatus} /> <Instant at={occurred_at} />
            {decision !== null && `, ${decision} by ${(gate ?? '').replaceAll('_', ' ')}`}
            {error_code !== null && `, ${error_code}`}
          </li>
        ))}
      </ol>
    </section>
  )
}
