import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { creditRead, pacingRead } from '../../api/queries/agreements.ts'
import type { Side } from '../../api/queries/orders.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './Relations.module.css'

/** Shows how much of an agreement's commitment is booked and invoiced, and how much of its credit is drawn. Both sides see the same. */
export function Gauges({ side, id }: { side: Side; id: string }) {
  const enabled = useRested()
  const pacing = useQuery({ ...pacingRead(side, id), enabled })
  const credit = useQuery({ ...creditRead(side, id), enabled })
  const failed = [pacing, credit].filter(({ data, error }) => data === undefined && error)
  return (
    <>
      <NotRead error={failed[0]?.error} retry={() => failed.map((one) => one.refetch())} />
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

const REST_MS = 150

/** Whether the component has been shown for a moment: a user who moves quickly through a list causes no reads for the rows passed. */
function useRested(): boolean {
  const [isRested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isRested
}

/** Says why there is no gauge. Lacking permission to read the settlement is not shown as a fault. */
function NotRead({ error, retry }: { error: unknown; retry: () => unknown }) {
  if (error instanceof Fault && error.code === 'FORBIDDEN') {
    return (
      <Text size="xs" c="dimmed">
        You may not read its pacing and credit.
      </Text>
    )
  }
  return <FaultAlert error={error} title="Pacing and credit cannot be read" retry={retry} />
}

interface GaugeProps {
  name: string
  amount: number
  of: number | null
  left: number | null
  currency: string
  children?: React.ReactNode
}

/** Shows an amount within a limit, both as the API states them. */
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
