import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { grantedRead } from '../../api/queries/agreements.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { AgreementDialog } from './AgreementDialog.tsx'
import { Gauges } from './Gauges.tsx'
import { Terms } from './Terms.tsx'

/** Shows an agreement to its seller: its terms, the buyer's bookings and drawn credit, and a button to change or end it. */
export function SellerDetail({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery(grantedRead(id))
  const isDown = useDownSince() !== undefined
  const [isOpen, setOpen] = useState(false)
  useKeys('Agreements', [{ keys: 'e', does: 'Change the agreement', run: () => setOpen(true) }])
  return (
    <>
      <FaultAlert error={data === undefined ? error : null} retry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <>
          <Terms agreement={data.document} />
          <Gauges side="seller" id={id} />
          <Group gap="xs">
            <Button size="xs" disabled={isDown} onClick={() => setOpen(true)}>
              Change or end it
            </Button>
            <Button size="xs" variant="default" renderRoot={(props) => <Link to="/settlement" search={{ agreement: id }} {...props} />}>
              Its invoices
            </Button>
          </Group>
          {isOpen && <AgreementDialog read={data} onClose={() => setOpen(false)} />}
        </>
      )}
    </>
  )
}
