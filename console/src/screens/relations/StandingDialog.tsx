import { Button, Group, Modal, Text } from '@mantine/core'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { readToEnd } from '../../api/pages.ts'
import { type BuyerStanding, putStanding, standingList } from '../../api/queries/agreements.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Notice } from '../../ui/Notice.tsx'

type Standing = Required<Pick<BuyerStanding, 'status' | 'allowlisted'>>

/** Changes one member of a buyer's standing. The API takes both members, so the current value of the other is read just before. */
export function StandingDialog({ buyer, onClose }: { buyer: string; onClose: () => void }) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const standingKey = [...standingList.queryKey, 'of', buyer] as const
  const read = useQuery({ queryKey: standingKey, queryFn: () => currentOf(queries, buyer), staleTime: 0, gcTime: 0 })
  const [isOther, setOther] = useState(false)
  const putting = useMutation({
    mutationFn: async ({ shown, change }: { shown: Standing; change: Partial<Standing> }) => {
      const now = await currentOf(queries, buyer)
      const isSame = now.status === shown.status && now.allowlisted === shown.allowlisted
      if (isSame) await putStanding(buyer, { ...now, ...change })
      else queries.setQueryData(standingKey, now)
      return isSame
    },
    onSuccess: async (isPut) => {
      setOther(!isPut)
      await queries.invalidateQueries({ queryKey: standingList.queryKey })
      if (isPut) onClose()
    },
  })
  const shown = read.data
  const isReady = shown !== undefined && read.isFetchedAfterMount && !isDown
  const put = (change: Partial<Standing>) => shown && putting.mutate({ shown, change })
  const isActive = shown?.status !== 'suspended'
  return (
    <Modal opened onClose={onClose} title={`Standing of ${buyer}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        A suspended buyer can create neither orders nor holds; its existing orders continue. The allowlist counts while your profile takes
        orders from it alone.
      </Text>
      <FaultAlert error={shown === undefined ? read.error : null} retry={() => void read.refetch()} />
      {read.isPending && <Loading />}
      {shown && (
        <Text size="sm" mb="md">
          Now it is {shown.status} and {shown.allowlisted ? 'on' : 'not on'} the allowlist.
        </Text>
      )}
      {isOther && <Changed />}
      <FaultAlert error={putting.error} title="The standing stays as it is" />
      <Group mt="md" grow>
        <Button
          variant="default"
          disabled={!isReady}
          loading={putting.isPending}
          onClick={() => put({ allowlisted: shown?.allowlisted !== true })}
        >
          {shown?.allowlisted ? 'Take off the allowlist' : 'Put on the allowlist'}
        </Button>
        <Button
          color={isActive ? 'red.9' : 'indigo'}
          disabled={!isReady}
          loading={putting.isPending}
          onClick={() => put({ status: isActive ? 'suspended' : 'active' })}
        >
          {isActive ? 'Suspend' : 'Reinstate'}
        </Button>
      </Group>
    </Modal>
  )
}

function Changed() {
  return (
    <Notice title="Somebody else has changed the standing">
      <Text size="sm">Nothing of yours was saved. What it is now is shown above.</Text>
    </Notice>
  )
}

/** Reads the current standing of a buyer; a buyer that is not on the list has the default. */
async function currentOf(queries: QueryClient, buyer: string): Promise<Standing> {
  const all = await readToEnd(queries, standingList, ({ items }) => items)
  const { status, allowlisted } = all.find(({ buyer_entity }) => buyer_entity === buyer) ?? { status: 'active', allowlisted: false }
  return { status, allowlisted }
}
