import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { attachmentContent, type Order, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { Instant } from '../../ui/Due.tsx'
import { Icon } from '../../ui/icons.tsx'
import { countText } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { AirDate } from '../../ui/Period.tsx'
import classes from './OrderScreen.module.css'

/** Shows what an order states apart from its lines: parties, terms, attachments and air dates. */
export function Facts({ order }: { order: Order }) {
  const { buyer_metadata: about, cancellation_terms: terms, flight } = order
  return (
    <div className={classes.facts}>
      <Group title="Parties">
        <Fact name="Buyer">
          <Named name={order.buyer_name} id={order.buyer_entity} />
        </Fact>
        <Fact name="Seller">
          <Named name={order.seller_name} id={order.seller} />
        </Fact>
        <Fact name="Advertiser">{about.advertiser_id}</Fact>
        <Fact name="Campaign">{about.campaign_id}</Fact>
        <Fact name="Estimate">{about.estimate_id}</Fact>
        <Fact name="Contact">{about.buyer_contact?.name ?? about.buyer_contact?.email}</Fact>
      </Group>
      <Group title="Terms">
        <Fact name="Order">{order.order_id}</Fact>
        <Fact name="Created">
          <Instant at={order.created_at} />
        </Fact>
        <Fact name="Flight">{flight && `${flight.start} to ${flight.end}`}</Fact>
        <Fact name="Settlement">{order.settlement_mode}</Fact>
        <Fact name="Agreement">{order.agreement_id}</Fact>
        <Fact name="Rate card">{order.rate_version}</Fact>
        <Fact name="Cancellation">
          {terms &&
            `${countText(terms.notice_days, 'day')} of notice${terms.late_fee_pct === undefined ? '' : `, late fee ${terms.late_fee_pct}%`}`}
        </Fact>
        <Fact name="Replaces">{order.revision.supersedes}</Fact>
      </Group>
      <Attachments order={order} />
      <AirDates order={order} />
    </div>
  )
}

function Attachments({ order: { order_id, external_order_id, attachments = [], document } }: { order: Order }) {
  const side = useSession().side as Side
  const files = [
    ...(document === undefined
      ? []
      : [{ id: document.upload_id, name: `${external_order_id}.${document.format}`, role: 'order document' }]),
    ...attachments.map(({ upload_id, filename, role }) => ({ id: upload_id, name: filename, role })),
  ]
  if (files.length === 0) return null
  return (
    <Group title="Attachments">
      {files.map(({ id, name, role }) => (
        <Fact key={id} name={<Icon name="clip" size={14} />}>
          <Anchor href={attachmentContent(side, order_id, id)} download={name} size="sm">
            {name}
          </Anchor>
          , {role.replaceAll('_', ' ')}
        </Fact>
      ))}
    </Group>
  )
}

const SHOWN_DATES = 12

function AirDates({ order: { line_items } }: { order: Order }) {
  const units = new Map<string, number>()
  for (const { date, units: count } of line_items.flatMap(({ allocation }) => allocation)) units.set(date, (units.get(date) ?? 0) + count)
  const dates = [...units].sort(([one], [other]) => one.localeCompare(other))
  if (dates.length === 0) return null
  return (
    <Group title={`Air dates, ${countText(dates.length, 'day')}`}>
      {dates.slice(0, SHOWN_DATES).map(([date, count]) => (
        <Fact key={date} name={<AirDate date={date} />}>
          {countText(count, 'unit')}
        </Fact>
      ))}
      {dates.length > SHOWN_DATES && <Fact name="until">{dates.at(-1)?.[0]}</Fact>}
    </Group>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
  )
}

/** Shows a name with its value, or nothing if there is no value. */
function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
