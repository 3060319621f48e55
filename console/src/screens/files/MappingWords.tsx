import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type MappingDraft, numbered } from './mapping.ts'
import { OUR_COLUMNS } from './ourColumns.ts'

interface MappingWordsProps {
  readonly draft: MappingDraft
  readonly set: (next: MappingDraft) => void
}

/** What the files do not say or say in other words: columns of one text, words and their meaning, rows to leave out, dates, numbers and clock. */
export function MappingWords({ draft, set }: MappingWordsProps) {
  const { headers, skipped, type } = draft
  return (
    <>
      <Constants draft={draft} set={set} />
      <Words draft={draft} set={set} />
      <Group align="end" gap="xs">
        <NativeSelect
          size="xs"
          label="Leave out rows where"
          value={skipped.header}
          onChange={(event) => set({ ...draft, skipped: { ...skipped, header: event.currentTarget.value } })}
          data={[{ value: '', label: 'none is left out' }, ...new Set(headers.filter((header) => header !== ''))]}
        />
        <TextInput
          size="xs"
          label="is one of, by commas"
          value={skipped.texts}
          onChange={(event) => set({ ...draft, skipped: { ...skipped, texts: event.currentTarget.value } })}
        />
        <NativeSelect
          size="xs"
          label="Dates such as 6/3/2030"
          value={draft.date_order}
          onChange={(event) => set({ ...draft, date_order: event.currentTarget.value as MappingDraft['date_order'] })}
          data={[
            { value: '', label: 'as the column shows' },
            { value: 'mdy', label: 'the month first' },
            { value: 'dmy', label: 'the day first' },
          ]}
        />
        <NativeSelect
          size="xs"
          label="Numbers"
          value={draft.decimal}
          onChange={(event) => set({ ...draft, decimal: event.currentTarget.value as MappingDraft['decimal'] })}
          data={[
            { value: '', label: 'as the column shows' },
            { value: 'point', label: '1,250.00' },
            { value: 'comma', label: '1.250,00' },
          ]}
        />
        {type === 'delivery_posts' && (
          <NativeSelect
            size="xs"
            label="Clock of air times"
            value={draft.clock}
            onChange={(event) => set({ ...draft, clock: event.currentTarget.value as MappingDraft['clock'] })}
            data={[
              { value: '', label: 'as the rows say' },
              { value: 'calendar', label: '00:00 to 23:59' },
              { value: 'broadcast', label: '06:00 to 29:59' },
            ]}
          />
        )}
      </Group>
    </>
  )
}

function Constants({ draft, set }: MappingWordsProps) {
  const { constants, ours, type } = draft
  const free = OUR_COLUMNS[type].filter((one) => !ours.includes(one))
  const change = (at: number, next: readonly [string, string]) => set({ ...draft, constants: constants.with(at, next) })
  return (
    <>
      {numbered(constants).map(({ id, at, of: [one, text] }) => (
        <Group key={id} align="end" gap="xs">
          <NativeSelect
            size="xs"
            label={`Column ${at + 1} of one text`}
            value={one}
            onChange={(event) => change(at, [event.currentTarget.value, text])}
            data={[{ value: '', label: 'choose' }, ...free]}
          />
          <TextInput
            size="xs"
            label={`Text ${at + 1} in every row`}
            value={text}
            onChange={(event) => change(at, [one, event.currentTarget.value])}
          />
        </Group>
      ))}
      <Group>
        <Button size="compact-xs" variant="default" onClick={() => set({ ...draft, constants: [...constants, ['', '']] })}>
          A column that the files lack
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => set({ ...draft, words: [...draft.words, ['', '', '']] })}>
          A word and what it means
        </Button>
      </Group>
    </>
  )
}

function Words({ draft, set }: MappingWordsProps) {
  const { words, ours } = draft
  const mapped = ours.filter((one) => one !== '')
  const change = (at: number, next: readonly [string, string, string]) => set({ ...draft, words: words.with(at, next) })
  return numbered(words).map(({ id, at, of: [one, theirs, means] }) => (
    <Group key={id} align="end" gap="xs">
      <NativeSelect
        size="xs"
        label={`In column ${at + 1}`}
        value={one}
        onChange={(event) => change(at, [event.currentTarget.value, theirs, means])}
        data={[{ value: '', label: 'choose' }, ...mapped]}
      />
      <TextInput
        size="xs"
        label={`Word ${at + 1}`}
        value={theirs}
        onChange={(event) => change(at, [one, event.currentTarget.value, means])}
      />
      <TextInput
        size="xs"
        label={`Means ${at + 1}`}
        value={means}
        onChange={(event) => change(at, [one, theirs, event.currentTarget.value])}
      />
    </Group>
  ))
}
