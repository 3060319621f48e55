import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { BuyerAgreement } from '../../api/queries/agreements.ts'
import { Gauges } from './Gauges.tsx'
import { Terms } from './Terms.tsx'

/** Shows an agreement to its buyer: its terms, how much of the commitment is booked, and the remaining credit. */
export function BuyerDetail({ agreement }: { agreement: BuyerAgreement }) {
  const { agreement_id: id, seller } = agreement
  return (
    <>
      <Terms agreement={agreement} />
      <Gauges side="buyer" id={id} />
      <Button size="xs" variant="default" renderRoot={(props) => <Link to="/find" search={{ seller, agreement: id }} {...props} />}>
        See the prices of this agreement
      </Button>
    </>
  )
}
