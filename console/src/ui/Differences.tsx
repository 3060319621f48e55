import { Button, Group, Table } from '@mantine/core'
import { Notice } from './Notice.tsx'

export interface Difference {
  readonly name: string
  /** The texts when the user began to edit. */
  readonly before: string
  /** The texts that somebody else has saved since. */
  readonly theirs: string
  readonly mine: string
}

interface DifferencesProps {
  what: string
  rows: readonly Difference[]
  isSending: boolean
  onMine: () => void
  onTheirs: () => void
}

/** Shows somebody else's change next to the user's own, and lets the user choose. Nothing of the user's change has been saved. */
export function Differences({ what, rows, isSending, onMine, onTheirs }: DifferencesProps) {
  return (
    <Notice title={`Somebody changed the ${what} after you opened it`} mt="md">
      <Table verticalSpacing={4} fz="sm" mb="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Was</Table.Th>
            <Table.Th>Now</Table.Th>
            <Table.Th>Yours</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, before, theirs, mine }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{before}</Table.Td>
              <Table.Td>{theirs}</Table.Td>
              <Table.Td>{mine}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTheirs}>
          Take theirs
        </Button>
        <Button size="xs" loading={isSending} onClick={onMine}>
          Save my changes over theirs
        </Button>
      </Group>
    </Notice>
  )
}

/** Lists the differences between three states of the same members, and leaves out members that nobody changed. */
export function differencesOf<Texts extends Readonly<Record<string, string>>>(
  labels: Readonly<Record<keyof Texts, string>>,
  before: Texts,
  theirs: Texts,
  mine: Texts,
): Difference[] {
  return (Object.keys(before) as (keyof Texts)[]).flatMap((name) => {
    const row = { name: labels[name], before: before[name] ?? '', theirs: theirs[name] ?? '', mine: mine[name] ?? '' }
    return row.before === row.theirs && row.before === row.mine ? [] : [row]
  })
}

/** Returns their version with the user's own changes on top. */
export function merged<Texts extends Readonly<Record<string, string>>>(before: Texts, theirs: Texts, mine: Texts): Texts {
  const changed = Object.entries(mine).filter(([name, text]) => text !== before[name])
  return { ...theirs, ...Object.fromEntries(changed) }
}
