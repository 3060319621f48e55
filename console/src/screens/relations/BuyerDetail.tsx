import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type BuyerAgreement, creditRead, pacingRead } from '../../api/queries/agreements.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './Relations.module.css'
import { Terms } from './Terms.tsx'

/** An agreement as its buyer sees it: terms, how much of the commitment is booked, and what credit is left. */
export function BuyerDetail({ agreement }: { agreement: BuyerAgreement }) {
  const { agreement_id: id, seller } = agreement
  const pacing = useQuery(pacingRead(id))
  const credit = useQuery(creditRead(id))
  return (
    <>
      <Terms agreement={agreement} />
      <FaultAlert error={pacing.error ?? credit.error} title="Pacing and credit cannot be read" />
      {pacing.data && (
        <Gauge
          name="Booked of the commitment"
          amount={pacing.data.booked_gross}
          of={pacing.data.commitment_gross}
          left={pacing.data.remaining}
          currency={pacing.data.currency}
        />
      )}
      {credit.data && (
        <Gauge
          name="Exposure within the credit limit"
          amount={credit.data.exposure}
          of={credit.data.credit_limit}
          left={credit.data.available}
          currency={credit.data.currency}
        />
      )}
      <Button size="xs" variant="default" renderRoot={(props) => <Link to="/find" search={{ seller, agreement: id }} {...props} />}>
        See the prices of this agreement
      </Button>
    </>
  )
}

interface GaugeProps {
  name: string
  amount: number
  of: number | null
  left: number | null
  currency: string
}

/** An amount within a bound, each as the API states it. */
function Gauge({ name, amount, of, left, currency }: GaugeProps) {
  return (
    <section className={classes.gauge}>
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
    </section>
  )
}
