import { Checkbox, Table } from '@mantine/core'
import type { GrantEffect as Effect } from '../../api/queries/agreements.ts'
import { countText } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './Relations.module.css'

type TenantScope = Effect['changes'][number]['before']

/** What the buyer of an agreement will see of the catalog, before and after. */
export function GrantEffect({ effect }: { effect: Effect }) {
  const { before, after, changed, changes, as_of } = effect
  return (
    <section aria-label="What the buyer will see">
      <Table className={classes.effect ?? ''} aria-label={`What the buyer sees, on ${as_of}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>On {as_of}</Table.Th>
            <Table.Th>Now</Table.Th>
            <Table.Th>Then</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ROWS.map(([member, word]) => (
            <Table.Tr key={member}>
              <Table.Th scope="row">{word}</Table.Th>
              <Table.Td>{before[member]}</Table.Td>
              <Table.Td>{before[member] === after[member] ? after[member] : <strong>{after[member]}</strong>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {changed === 0 && <p className={classes.quiet}>Nothing that the buyer sees changes.</p>}
      {changes.slice(0, SHOWN).map(({ product_id, product_title, ...sights }) => (
        <p key={product_id} className={classes.quiet}>
          <Named name={product_title} id={product_id} />: {sightText(sights.before)}, then {sightText(sights.after)}
        </p>
      ))}
      {changed > SHOWN && <p className={classes.quiet}>And {countText(changed - SHOWN, 'other product')}.</p>}
    </section>
  )
}

const SHOWN = 5
const ROWS = [
  ['products', 'Products'],
  ['priced', 'with prices'],
  ['with_avails', 'with avails'],
] as const

function sightText(sight: TenantScope): string {
  if (sight === null) return 'not shown'
  const prices = sight.pricing_policy === 'published' ? 'prices' : 'prices by quote'
  return `${prices}, ${{ published: 'avails', on_request: 'avails when asked', withheld: 'no avails' }[sight.avails_policy]}`
}

/** A name of an agreement that nothing has yet: it is granted once its seller says that it is meant. */
export interface Question {
  readonly about: string
  readonly says: string
  readonly tick: string
}

export function questionsOf({ new_buyer, unknown_products }: Effect, buyer: string): Question[] {
  return [
    ...(new_buyer
      ? [{ about: `buyer ${buyer}`, says: `You have not dealt with ${buyer} yet.`, tick: `${buyer} is not here yet, or is new to me` }]
      : []),
    ...unknown_products.map((name) => ({
      about: `product ${name}`,
      says: `Your catalog has no ${name}.`,
      tick: `${name} is not here yet: I will publish it`,
    })),
  ]
}

interface QuestionsProps {
  readonly questions: readonly Question[]
  readonly ticked: ReadonlySet<string>
  readonly tick: (about: string, isMeant: boolean) => void
}

/** Asks once about each unknown name, since a slip of the pen grants something to nobody. */
export function Questions({ questions, ticked, tick }: QuestionsProps) {
  if (questions.length === 0) return null
  return (
    <Notice title="Some names are unknown" mt="sm">
      {questions.map(({ about, says, tick: label }) => (
        <Checkbox
          key={about}
          size="xs"
          mt={4}
          label={label}
          description={says}
          checked={ticked.has(about)}
          onChange={(event) => tick(about, event.currentTarget.checked)}
        />
      ))}
    </Notice>
  )
}
