import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { cardRead } from '../../api/queries/prices.ts'
import { mondayOf, periodGloss } from '../../ui/Period.tsx'
import classes from './PlanScreen.module.css'
import { type PlanFaultAt, type PlanRow, termsText } from './planDraft.ts'

interface PlanRowEditorProps {
  readonly seller: string
  readonly row: PlanRow
  readonly number: number
  /** Returns what to show at a field of this row. */
  readonly faultAt: (field: Parameters<PlanFaultAt>[0]) => string
  readonly set: (row: PlanRow) => void
  readonly remove?: () => void
}

/** Edits a line of the plan; the prices to choose from are the card's for its product and week. */
export function PlanRowEditor({ seller, row, number, faultAt, set, remove }: PlanRowEditorProps) {
  const isWhole = row.product !== '' && mondayOf(row.week) !== undefined
  const read = cardRead({ side: 'seller', seller, product: row.product, weeks: row.week })
  const { data: prices = [], isLoading } = useQuery({ ...read, enabled: isWhole })
  const { price, ...unpriced } = row
  const common = (name: keyof Omit<PlanRow, 'id'>) => ({ size: 'xs' as const, error: faultAt(name) })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame and breaks the grid
    <div className={classes.row} role="group" aria-label={`Line ${number}`}>
      <TextInput
        {...common('product')}
        label="Product"
        list="products"
        value={row.product}
        onChange={(event) => set({ ...unpriced, product: event.currentTarget.value.trim() })}
      />
      <TextInput
        {...common('week')}
        label="Week"
        placeholder="2027-W06"
        description={periodGloss({ grain: 'week', start: row.week })}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={row.week}
        onChange={(event) => set({ ...unpriced, week: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput
        {...common('units')}
        label="Units"
        inputMode="numeric"
        value={row.units}
        onChange={(event) => set({ ...row, units: event.currentTarget.value })}
      />
      <NativeSelect
        {...common('price')}
        label="Price on the card"
        value={price?.locked_rate_id ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const chosen = prices.find(({ locked_rate_id }) => locked_rate_id === value)
          set(chosen === undefined ? unpriced : { ...unpriced, price: chosen })
        }}
        data={[
          { value: '', label: nothingText(isWhole, isLoading, prices.length) },
          ...prices.map((one) => ({ value: one.locked_rate_id, label: termsText(one) })),
        ]}
      />
      <TextInput
        {...common('amount')}
        label="Quote instead"
        placeholder="as on the card"
        inputMode="decimal"
        value={row.amount}
        onChange={(event) => set({ ...row, amount: event.currentTarget.value })}
      />
      {remove && <Remove number={number} remove={remove} />}
    </div>
  )
}

function Remove({ number, remove }: { number: number; remove: () => void }) {
  return (
    <Button size="compact-xs" variant="subtle" onClick={remove} aria-label={`Remove line ${number}`}>
      Remove
    </Button>
  )
}

function nothingText(isWhole: boolean, isLoading: boolean, count: number): string {
  if (!isWhole) return 'Choose product and week'
  if (isLoading) return 'Reading the card'
  return count === 0 ? 'The card has none for this week' : 'Choose a price'
}
