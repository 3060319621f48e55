import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import type { Period } from '../../api/queries/sellers.ts'
import { offerKey, offerText } from '../../basket/basket.ts'
import type { FindSearch } from '../../routes/buying.ts'
import { mondayOf, periodGloss } from '../../ui/Period.tsx'
import classes from './Find.module.css'
import type { Offers as AllOffers, Choice } from './rules.ts'

interface OffersProps {
  offers: AllOffers
  grain: Period['grain']
  choice: Choice
  from: string
  set: (next: FindSearch) => void
}

/** Which prices the grid shows: from when, by what period, of what length and kind. */
export function Offers({ offers, grain, choice, from, set }: OffersProps) {
  return (
    <div className={classes.offers}>
      <TextInput
        key={from}
        size="xs"
        w={110}
        label="From week"
        placeholder="2027-W06"
        title={periodGloss({ grain: 'week', start: from })}
        defaultValue={from}
        onChange={({ currentTarget: { value } }) => mondayOf(value.toUpperCase()) && set({ from: value.toUpperCase() })}
      />
      <div>
        <span className={classes.label} id="grain">
          By
        </span>
        <SegmentedControl
          size="xs"
          aria-labelledby="grain"
          value={grain}
          onChange={(value) => set({ grain: value as Period['grain'] })}
          data={(['week', 'day', 'month'] as const).map((value) => ({ value, label: value, disabled: !offers.grains.includes(value) }))}
        />
      </div>
      <NativeSelect
        size="xs"
        label="Spot length"
        value={String(choice.length ?? '')}
        onChange={(event) => set({ length: Number(event.currentTarget.value) })}
        data={offers.lengths.map((length) => ({ value: String(length), label: `${length} s` }))}
      />
      <NativeSelect
        size="xs"
        label="Offer"
        className={classes.offer ?? ''}
        value={choice.offer ?? ''}
        onChange={(event) => set({ offer: event.currentTarget.value })}
        data={offers.offers.map((rate) => ({ value: offerKey(rate), label: offerText(rate) }))}
      />
    </div>
  )
}
