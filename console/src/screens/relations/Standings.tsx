import { Button, Table, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { type BuyerStanding, standingList } from '../../api/queries/agreements.ts'
import { Empty } from '../../ui/Empty.tsx'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Mark } from '../../ui/Mark.tsx'
import classes from './Relations.module.css'
import { StandingDialog } from './StandingDialog.tsx'

/** Lists the buyers whose standing the seller has set: suspended buyers, and those on the allowlist. */
export function Standings() {
  const { rows, list, more } = usePages(standingList, standingsOf)
  const [buyer, setBuyer] = useState('')
  const [chosen, setChosen] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChosen(buyer.trim())
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
      <ListFault list={list} isEmpty={rows.length === 0} />
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
              <StandingRow key={row.buyer_entity} row={row} onChange={() => setChosen(row.buyer_entity)} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {list.hasNextPage && (
        <Button size="xs" variant="default" onClick={more}>
          Show more
        </Button>
      )}
      {chosen !== undefined && <StandingDialog key={chosen} buyer={chosen} onClose={() => setChosen(undefined)} />}
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

function standingsOf({ items }: { items: BuyerStanding[] }): BuyerStanding[] {
  return items
}
