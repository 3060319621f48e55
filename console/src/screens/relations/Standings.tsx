import { Button, Group, Modal, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { usePages } from '../../api/pages.ts'
import { type BuyerStanding, putStanding, standingList } from '../../api/queries/agreements.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Mark } from '../../ui/Mark.tsx'
import classes from './Relations.module.css'

/** The buyers whose standing the seller has set: suspended ones, and those that an allowlist takes orders from. */
export function Standings() {
  const { rows, list, more } = usePages(standingList, standingsOf)
  const [buyer, setBuyer] = useState('')
  const [chosen, setChosen] = useState<BuyerStanding>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const known = rows.find(({ buyer_entity }) => buyer_entity === buyer.trim())
    setChosen(known ?? { buyer_entity: buyer.trim(), status: 'active', allowlisted: false })
  }
  return (
    <div className={classes.standings}>
      <form onSubmit={submit} className={classes.choose}>
        <TextInput
          size="xs"
          label="Buyer"
          description="One that is not listed may order as your profile says."
          value={buyer}
          onChange={(event) => setBuyer(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" disabled={buyer.trim() === ''}>
          Set its standing
        </Button>
      </form>
      <FaultAlert error={rows.length === 0 ? list.error : null} retry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && (
        <Empty title="No standing is set">Every buyer has the default: name one above to change it.</Empty>
      )}
      {rows.length > 0 && (
        <Table verticalSpacing={6} fz="sm" aria-label="Buyers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Buyer</Table.Th>
              <Table.Th>Standing</Table.Th>
              <Table.Th>Allowlist</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <StandingRow key={row.buyer_entity} row={row} onChange={() => setChosen(row)} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {list.hasNextPage && (
        <Button size="xs" variant="default" onClick={more}>
          Show more
        </Button>
      )}
      {chosen && <StandingDialog key={chosen.buyer_entity} standing={chosen} onClose={() => setChosen(undefined)} />}
    </div>
  )
}

function StandingRow({ row, onChange }: { row: BuyerStanding; onChange: () => void }) {
  return (
    <Table.Tr>
      <Table.Td>{row.buyer_entity}</Table.Td>
      <Table.Td>
        {row.status === 'active' ? <Mark icon="check" tone="good" word="Active" /> : <Mark icon="ban" tone="bad" word="Suspended" />}
      </Table.Td>
      <Table.Td>{row.allowlisted ? 'on it' : 'not on it'}</Table.Td>
      <Table.Td ta="right">
        <Button size="compact-xs" variant="default" aria-label={`Change the standing of ${row.buyer_entity}`} onClick={onChange}>
          Change
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

function StandingDialog({
  standing: { buyer_entity: buyer, status, allowlisted },
  onClose,
}: {
  standing: BuyerStanding
  onClose: () => void
}) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const putting = useMutation({
    mutationFn: (body: { status?: BuyerStanding['status']; allowlisted?: boolean }) => putStanding(buyer, { status, allowlisted, ...body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: standingList.queryKey })
      onClose()
    },
  })
  const isActive = status === 'active'
  return (
    <Modal opened onClose={onClose} title={`Standing of ${buyer}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        A suspended buyer can create neither orders nor holds; its orders so far go on. The allowlist counts while your profile takes orders
        from it alone.
      </Text>
      <FaultAlert error={putting.error} title="The standing stays as it is" />
      <Group mt="md" grow>
        <Button
          variant="default"
          disabled={isDown}
          loading={putting.isPending}
          onClick={() => putting.mutate({ allowlisted: !allowlisted })}
        >
          {allowlisted ? 'Take off the allowlist' : 'Put on the allowlist'}
        </Button>
        <Button
          color={isActive ? 'red.9' : 'indigo'}
          disabled={isDown}
          loading={putting.isPending}
          onClick={() => putting.mutate({ status: isActive ? 'suspended' : 'active' })}
        >
          {isActive ? 'Suspend' : 'Reinstate'}
        </Button>
      </Group>
    </Modal>
  )
}

function standingsOf({ items }: { items: BuyerStanding[] }): BuyerStanding[] {
  return items
}
