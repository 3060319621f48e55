import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Period } from '../../api/queries/sellers.ts'
import { offerKey, offerText } from '../../basket/basket.ts'
import type { FindSearch } from '../../routes/buying.ts'
import { mondayOf, periodGloss } from '../../ui/Period.tsx'
import { weekAfter } from '../../ui/weeks.ts'
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
      <FromWeek from={from} set={set} />
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

/** The first week of the grid. It changes as soon as a whole week is typed; a field that loses the focus shows the week of the grid again. */
function FromWeek({ from, set }: Pick<OffersProps, 'from' | 'set'>) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      size="xs"
      w={110}
      label="From week"
      placeholder="2027-W06"
      title={periodGloss({ grain: 'week', start: from })}
      value={typed ?? from}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        const week = value.trim().toUpperCase()
        if (isWeek(week)) set({ from: week })
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

/** There is no week 99, though it is written like one. */
function isWeek(text: string): boolean {
  return mondayOf(text) !== undefined && weekAfter(text, 0) === text
}
