import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { cardRead } from '../../api/queries/prices.ts'
import { mondayOf, periodGloss } from '../../ui/Period.tsx'
import classes from './PlanScreen.module.css'
import { type PlanRow, termsText } from './planDraft.ts'

interface PlanRowEditorProps {
  readonly seller: string
  readonly row: PlanRow
  readonly number: number
  readonly set: (row: PlanRow) => void
  readonly remove?: () => void
}

/** Edits a line of the plan; the prices to choose from are the card's for its product and week. */
export function PlanRowEditor({ seller, row, number, set, remove }: PlanRowEditorProps) {
  const isWhole = row.product !== '' && mondayOf(row.week) !== undefined
  const card = useQuery({ ...cardRead({ side: 'seller', seller, product: row.product, weeks: row.week }), enabled: isWhole })
  const prices = card.data ?? []
  const { price, ...unpriced } = row
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame and breaks the grid
    <div className={classes.row} role="group" aria-label={`Line ${number}`}>
      <TextInput
        size="xs"
        label="Product"
        list="products"
        value={row.product}
        onChange={(event) => set({ ...unpriced, product: event.currentTarget.value.trim() })}
      />
      <TextInput
        size="xs"
        label="Week"
        placeholder="2027-W06"
        description={periodGloss({ grain: 'week', start: row.week })}
        inputWrapperOrder={['label', 'input', 'description']}
        value={row.week}
        onChange={(event) => set({ ...unpriced, week: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput
        size="xs"
        label="Units"
        inputMode="numeric"
        value={row.units}
        onChange={(event) => set({ ...row, units: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Price on the card"
        value={price?.locked_rate_id ?? ''}
        onChange={(event) => {
          const chosen = prices.find(({ locked_rate_id }) => locked_rate_id === event.currentTarget.value)
          set(chosen === undefined ? unpriced : { ...unpriced, price: chosen })
        }}
        data={[
          { value: '', label: nothingText(isWhole, card.isLoading, prices.length) },
          ...prices.map((one) => ({ value: one.locked_rate_id, label: termsText(one) })),
        ]}
      />
      <TextInput
        size="xs"
        label="Quote instead"
        placeholder="as on the card"
        inputMode="decimal"
        value={row.amount}
        onChange={(event) => set({ ...row, amount: event.currentTarget.value })}
      />
      {remove && (
        <Button size="compact-xs" variant="subtle" onClick={remove} aria-label={`Remove line ${number}`}>
          Remove
        </Button>
      )}
    </div>
  )
}

function nothingText(isWhole: boolean, isLoading: boolean, count: number): string {
  if (!isWhole) return 'Choose product and week'
  if (isLoading) return 'Reading the card'
  return count === 0 ? 'The card has none for this week' : 'Choose a price'
}
