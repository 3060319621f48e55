import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { grantedRead } from '../../api/queries/agreements.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { AgreementDialog } from './AgreementDialog.tsx'
import { Terms } from './Terms.tsx'

/** An agreement as its seller sees it, and the way to change or end it. */
export function SellerDetail({ id }: { id: string }) {
  const { data, error, isPending } = useQuery(grantedRead(id))
  const isDown = useDownSince() !== undefined
  const [isOpen, setOpen] = useState(false)
  useKeys('Agreements', [{ keys: 'e', does: 'Change the agreement', run: () => setOpen(true) }])
  return (
    <>
      <FaultAlert error={data === undefined ? error : null} />
      {isPending && <Loading />}
      {data && (
        <>
          <Terms agreement={data.document} />
          <Button size="xs" disabled={isDown} onClick={() => setOpen(true)}>
            Change or end it
          </Button>
          {isOpen && <AgreementDialog read={data} onClose={() => setOpen(false)} />}
        </>
      )}
    </>
  )
}
