import { NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type CardDiff, cardDiff } from '../../api/queries/publishing.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Period } from '../../ui/Period.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import classes from './Cards.module.css'
import { keyOf, keyText, priceOf, shiftOf } from './cardKeys.ts'

type Item = CardDiff['items'][number]
type Shown = 'all' | Item['change']

interface DiffProps {
  commit: string
  against: string | undefined
  /** The commits to choose from for the comparison. */
  others: readonly string[]
  /** The filter that is set at first. */
  first: Shown
  onAgainst: (commit: string) => void
}

/** Lists the prices that differ between two commits. */
export function Diff({ commit, against, others, first, onAgainst }: DiffProps) {
  const { data: diff, error, isPending, refetch } = useQuery(cardDiff(commit, against))
  const [shown, setShown] = useState<Shown>(first)
  return (
    <div className={classes.fill}>
      <div className={classes.bar}>
        <NativeSelect
          size="xs"
          label="Compared with"
          value={against ?? ''}
          onChange={(event) => onAgainst(event.currentTarget.value)}
          data={[
            { value: '', label: against === undefined && diff?.against ? `${diff.against} (before it)` : 'the one before it' },
            ...others,
          ]}
        />
        {diff !== undefined && <Counts diff={diff} shown={shown} onShown={setShown} />}
      </div>
      <FaultAlert error={error} retry={() => void refetch()} />
      {isPending && <Loading />}
      {diff !== undefined && <Items diff={diff} shown={shown} />}
    </div>
  )
}

function Counts({ diff, shown, onShown }: { diff: CardDiff; shown: Shown; onShown: (shown: Shown) => void }) {
  const { added, changed, removed, unchanged } = diff
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Shown"
        value={shown}
        onChange={(value) => onShown(value as Shown)}
        data={[
          { value: 'all', label: 'All' },
          { value: 'changed', label: `${changed.toLocaleString('en-US')} changed` },
          { value: 'added', label: `${added.toLocaleString('en-US')} added` },
          { value: 'removed', label: `${removed.toLocaleString('en-US')} not in it` },
        ]}
      />
      <Text size="sm" c="dimmed">
        {unchanged.toLocaleString('en-US')} unchanged
        {removed > 0 && '. A price that is not in this card stays in force where an earlier card has it.'}
      </Text>
    </>
  )
}

const WORDS = { added: ['+', 'added'], changed: ['±', 'changed'], removed: ['−', 'not in it'] } as const

const COLUMNS: readonly Column<Item>[] = [
  { id: 'change', title: 'Change', width: 96, cell: ({ change }) => <span className={classes[change]}>{WORDS[change].join(' ')}</span> },
  { id: 'product', title: 'Product', width: 180, grow: 1, cell: ({ product_id }) => product_id },
  { id: 'week', title: 'Week', width: 170, cell: ({ week }) => <Period period={{ grain: 'week', start: week }} /> },
  {
    id: 'before',
    title: 'Other',
    width: 120,
    align: 'right',
    cell: ({ before, after }) => <Before before={before} isKept={after !== null} />,
  },
  { id: 'after', title: 'This', width: 120, align: 'right', cell: ({ after }) => priceOf(after) },
  { id: 'shift', title: 'By', width: 70, align: 'right', cell: ({ before, after }) => shiftOf(before, after) },
  { id: 'key', title: 'For', width: 260, cell: keyText },
]

function Before({ before, isKept }: { before: Item['before']; isKept: boolean }) {
  return isKept ? <span className={classes.dimmed}>{priceOf(before)}</span> : <del>{priceOf(before)}</del>
}

function Items({ diff, shown }: { diff: CardDiff; shown: Shown }) {
  const [active, setActive] = useState<string>()
  const rows = useMemo(() => diff.items.filter(({ change }) => shown === 'all' || change === shown), [diff.items, shown])
  const move = (step: number) => setActive(neighbor(rows.map(keyOf), active, step))
  useKeys('What it changes', rowKeys('difference', move))
  if (rows.length === 0) {
    return (
      <Empty title="No difference">
        {diff.against === null ? 'There is no card before this one.' : `Like ${diff.against}. Compare it with another card above.`}
      </Empty>
    )
  }
  return (
    <>
      {diff.next_cursor !== null && (
        <Text className={classes.part}>The first {diff.items.length.toLocaleString('en-US')} differences.</Text>
      )}
      <Grid<Item> label="Differences" columns={COLUMNS} rows={rows} rowId={keyOf} active={active} onActive={setActive} rowHeight={28} />
    </>
  )
}
