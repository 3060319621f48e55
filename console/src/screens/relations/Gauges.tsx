import { useQuery } from '@tanstack/react-query'
import { creditRead, pacingRead } from '../../api/queries/agreements.ts'
import type { Side } from '../../api/queries/orders.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './Relations.module.css'

/** How much of an agreement's commitment is booked and invoiced, and what cleared orders draw of its credit: the same to both sides. */
export function Gauges({ side, id }: { side: Side; id: string }) {
  const pacing = useQuery(pacingRead(side, id))
  const credit = useQuery(creditRead(side, id))
  return (
    <>
      <FaultAlert error={pacing.error ?? credit.error} title="Pacing and credit cannot be read" />
      {pacing.data && (
        <Gauge
          name={pacing.data.commitment_gross === null ? 'Booked' : 'Booked of the commitment'}
          amount={pacing.data.booked_gross}
          of={pacing.data.commitment_gross}
          left={pacing.data.remaining}
          currency={pacing.data.currency}
        >
          <Money amount={pacing.data.invoiced_gross} currency={pacing.data.currency} /> invoiced
        </Gauge>
      )}
      {credit.data && (
        <Gauge
          name={credit.data.credit_limit === null ? 'Exposure, without a limit' : 'Exposure within the credit limit'}
          amount={credit.data.exposure}
          of={credit.data.credit_limit}
          left={credit.data.available}
          currency={credit.data.currency}
        />
      )}
    </>
  )
}

interface GaugeProps {
  name: string
  amount: number
  of: number | null
  left: number | null
  currency: string
  children?: React.ReactNode
}

/** An amount within a bound, each as the API states it. */
function Gauge({ name, amount, of, left, currency, children }: GaugeProps) {
  return (
    <section className={classes.gauge} aria-label={name}>
      <h3>{name}</h3>
      <strong>
        <Money amount={amount} currency={currency} />
      </strong>
      {of !== null && (
        <>
          {' of '}
          <Money amount={of} currency={currency} />
          <meter aria-label={name} min={0} max={of} value={amount} />
        </>
      )}
      {left !== null && (
        <span className={classes.quiet}>
          <Money amount={left} currency={currency} /> left
        </span>
      )}
      {children !== undefined && <span className={classes.quiet}>{children}</span>}
    </section>
  )
}
