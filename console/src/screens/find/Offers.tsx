import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Period } from '../../api/queries/sellers.ts'
import { offerKey, offerText } from '../../basket/basket.ts'
import type { FindSearch } from '../../routes/buying.ts'
import { mondayOf, periodGloss } from '../../ui/Period.tsx'
import { weekAfter } from '../../ui/weeks.ts'
import classes from './Find.module.css'
import type { Offers as AllOffers, Choice } from './picks.ts'

interface OffersProps {
  offers: AllOffers
  grain: Period['grain']
  choice: Choice
  from: string
  set: (next: FindSearch) => void
}

/** Chooses the prices that the grid shows: the first week, the period, the spot length and the offer. */
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

/** Sets the first week of the grid as soon as a complete week is typed. On blur, the field shows the grid's week again. */
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

/** Whether the text is an existing week; `2027-W99` has the form of one but does not exist. */
function isWeek(text: string): boolean {
  return mondayOf(text) !== undefined && weekAfter(text, 0) === text
}
