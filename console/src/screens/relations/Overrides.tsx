import { Button, Fieldset, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { PRODUCTS } from './ProductPicker.tsx'

/** A member of an override beside its product. */
interface Member {
  readonly label: string
  /** What it may be; any text if absent. */
  readonly of?: readonly { readonly value: string; readonly label: string }[]
}

interface OverridesProps {
  readonly label: string
  /** The name of one of them. */
  readonly one: string
  readonly members: readonly Member[]
  readonly error: string
  /** A line each, its members apart by bars, as `agreementTexts` keeps them. */
  readonly value: string
  readonly set: (text: string) => void
}

/** What an agreement says of single products: a row each, with the product picked and the rest chosen. */
export function Overrides({ label, one, members, error, value, set }: OverridesProps) {
  const lines = value === '' ? [] : value.split('\n')
  const change = (at: number, cells: readonly string[]) => set(lines.with(at, cells.join(' | ')).join('\n'))
  return (
    <Fieldset legend={label} p="xs">
      {lines
        .map((line, at) => ({ id: `${one} ${at + 1}`, at, cells: cellsOf(line, members.length + 1) }))
        .map(({ id, at, cells }) => (
          <Group key={id} gap="xs" align="end" mb={4}>
            <TextInput
              size="xs"
              label={`Product of ${id}`}
              list={PRODUCTS}
              placeholder="* is every product"
              value={cells[0] ?? ''}
              onChange={(event) => change(at, cells.with(0, event.currentTarget.value))}
            />
            {members.map(({ label: name, of }, index) => {
              const field = {
                size: 'xs' as const,
                label: `${name} of ${id}`,
                value: cells[index + 1] ?? '',
                onChange: (event: { currentTarget: { value: string } }) => change(at, cells.with(index + 1, event.currentTarget.value)),
              }
              return of === undefined ? <TextInput key={name} {...field} /> : <NativeSelect key={name} {...field} data={[...of]} />
            })}
            <Button size="compact-xs" variant="default" aria-label={`Remove ${id}`} onClick={() => set(lines.toSpliced(at, 1).join('\n'))}>
              Remove
            </Button>
          </Group>
        ))}
      {error !== '' && (
        <Text size="xs" c="var(--bad)" role="alert">
          {error}
        </Text>
      )}
      <Button size="compact-xs" variant="default" onClick={() => set([...lines, members.map(() => ' | ').join('')].join('\n'))}>
        Add a {one}
      </Button>
    </Fieldset>
  )
}

/** Returns the members of a line; the last one has the rest of it. */
function cellsOf(line: string, count: number): string[] {
  const cells = line.split('|')
  const texts = [...cells.slice(0, count - 1), cells.slice(count - 1).join('|')].map((text) => text.trim())
  return [...texts, ...Array.from({ length: count - texts.length }, () => '')]
}
