import { Title } from '@mantine/core'
import { useNow } from '../../api/clock.ts'
import type { AvailsRequest } from '../../api/queries/publishing.ts'
import { agoText } from '../../ui/Due.tsx'
import { countText } from '../../ui/Money.tsx'
import classes from './Avails.module.css'

/** Lists buyers' open requests for avails; publishing the avail answers a request. */
export function Asks({ asks, onOpen }: { asks: readonly AvailsRequest[]; onOpen: (ask: AvailsRequest) => void }) {
  const now = useNow()
  if (asks.length === 0) return null
  return (
    <section className={classes.asks} aria-label="Asks of buyers">
      <Title order={2}>{countText(asks.length, 'ask')} of buyers</Title>
      <ul>
        {asks.map((ask) => (
          <li key={ask.request_id}>
            <button type="button" className={classes.ask} onClick={() => onOpen(ask)}>
              {ask.product_id} {ask.period.start}
            </button>
            <span className={classes.dimmed}>
              {ask.buyer_entity}, {agoText(now - Date.parse(ask.requested_at))}
            </span>
            {ask.note !== undefined && <q>{ask.note}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
}
