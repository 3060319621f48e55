import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Order, OrderLine, Side } from '../api/queries/orders.ts'
import type { CardPrice } from '../api/queries/prices.ts'
import { type Avail, ownAvails } from '../api/queries/publishing.ts'
import { useSession } from '../api/session.ts'
import { ButtonKeys } from '../ui/ButtonKeys.tsx'
import { Loading } from '../ui/Loading.tsx'
import { countText, Price } from '../ui/Money.tsx'
import { periodGloss } from '../ui/Period.tsx'
import classes from './CounterEditor.module.css'
import { isInFlight } from './cardWeeks.ts'
import type { CounterDraft, LineDraft } from './decision.ts'
import { focusLine, PRICE } from './focusLine.ts'
import { priceOf, useProductCard } from './useCard.ts'

interface CounterEditorProps {
  order: Order
  line: OrderLine
  number: number
  chosen: CounterDraft
  isFaulty: boolean
  set: (next: LineDraft) => void
}

/** One click offers a week at its published price. A different price takes a second step, since it makes a quote for this buyer. */
export function CounterEditor(props: CounterEditorProps) {
  const { order, line, number, chosen, set } = props
  const card = useProductCard(order, line)
  const offers = useOffers(order, line, card)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!card.isPending && document.activeElement === frame.current) firstField(frame.current)?.focus()
  }, [card.isPending])
  const quote = () => {
    set({ ...chosen, isQuote: true })
    focusLine(line.unit_id, PRICE)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame and breaks the row
    <div
      ref={frame}
      className={classes.editor}
      role="group"
      aria-label={`Counter to line ${number}`}
      tabIndex={-1}
      data-editor
      onFocus={(event) => event.target === frame.current && firstField(frame.current)?.focus()}
    >
      {card.isPending && <Loading />}
      {offers.length > 0 && <WeekPicker {...props} offers={offers} />}
      {!card.isPending && (chosen.isQuote || offers.length === 0) && <QuoteFields {...props} isWeekFree={offers.length === 0} />}
      {offers.length > 0 && !chosen.isQuote && (
        <Button
          size="compact-xs"
          variant="default"
          className={classes.another ?? ''}
          onClick={quote}
          rightSection={<ButtonKeys keys="q" />}
        >
          Another amount
        </Button>
      )}
    </div>
  )
}

interface Offer {
  readonly price: CardPrice
  readonly avail: Avail | undefined
}

/** Lists the weeks that the seller can offer: those within the flight that have a price on the card. */
function useOffers(order: Order, line: OrderLine, { prices, weeks }: ReturnType<typeof useProductCard>): Offer[] {
  const side = useSession().side as Side
  const { data: avails = [] } = useQuery({ ...ownAvails(weeks ?? '', line.product_id), enabled: side === 'seller' && weeks !== undefined })
  const inWeek = new Map(avails.filter(({ period }) => period.grain === 'week').map((avail) => [avail.period.start, avail]))
  return [...new Set(prices.map(({ week }) => week))].sort().flatMap((week) => {
    const price = isInFlight(order, week) ? priceOf(prices, order, line, week) : undefined
    return price === undefined ? [] : [{ price, avail: inWeek.get(week) }]
  })
}

function WeekPicker({ line, number, chosen, set, offers }: CounterEditorProps & { offers: readonly Offer[] }) {
  return (
    <div role="radiogroup" aria-label={`Week offered for line ${number}`} className={classes.weeks}>
      {offers.map(({ price, avail }) => {
        const { week } = price
        return (
          <label key={week} className={`${classes.week} ${chosen.week === week ? classes.chosen : ''}`}>
            <input
              type="radio"
              name={`week-${line.unit_id}`}
              checked={chosen.week === week}
              onChange={() => set({ ...chosen, week, ...(!chosen.isQuote && { price: String(price.unit_cost ?? price.cpm ?? '') }) })}
            />
            <span>
              <strong>{week.slice(5)}</strong> {periodGloss({ grain: 'week', start: week })}
            </span>
            <span>
              <Price rate={price} />
            </span>
            <span className={classes.quiet}>{week === line.period.start ? 'as asked' : availText(avail)}</span>
          </label>
        )
      })}
    </div>
  )
}

/** Takes a price that differs from the card's, and how long the buyer can accept it. */
function QuoteFields({ line, chosen, isFaulty, set, isWeekFree }: CounterEditorProps & { isWeekFree: boolean }) {
  return (
    <div className={classes.quote}>
      <p className={classes.title}>Publish a quote to this buyer</p>
      {isWeekFree && (
        <TextInput
          size="xs"
          label="Week"
          placeholder="2027-W06"
          description={periodGloss({ grain: 'week', start: chosen.week })}
          inputWrapperOrder={['label', 'input', 'description']}
          value={chosen.week}
          error={isFaulty}
          aria-errormessage={faultId(line)}
          onChange={(event) => set({ ...chosen, week: event.currentTarget.value.toUpperCase() })}
        />
      )}
      <TextInput
        size="xs"
        label={line.rate.rate_basis === 'cpm' ? `${line.rate.currency} cpm` : `${line.rate.currency} a unit`}
        inputMode="decimal"
        data-price
        error={isFaulty}
        aria-errormessage={faultId(line)}
        value={chosen.price}
        onChange={(event) => set({ ...chosen, price: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Open for"
        value={chosen.hours}
        onChange={(event) => set({ ...chosen, hours: event.currentTarget.value })}
        data={OPEN_FOR}
      />
    </div>
  )
}

/** The id of the text that says what is wrong with the choice for a line. */
export function faultId({ unit_id }: Pick<OrderLine, 'unit_id'>): string {
  return `fault-${unit_id}`
}

const OPEN_FOR = [
  { value: '', label: 'as long as your quotes usually are' },
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
]

function firstField(editor: HTMLElement | null): HTMLInputElement | null {
  const fields = ['input[type=radio]:checked', 'input[type=radio]', PRICE].map((selector) =>
    editor?.querySelector<HTMLInputElement>(selector),
  )
  return fields.find((field) => field) ?? null
}

/** Shows the inventory that the seller has published as left in a week. */
function availText(avail: Avail | undefined): string {
  if (avail === undefined) return 'no avail'
  const { state, sellout_level, spots, units } = avail
  const left = units?.available ?? spots?.available
  if (left !== undefined) return countText(left, 'left', 'left')
  if (sellout_level !== undefined) return `sold ${Math.round(sellout_level * 100)}%`
  return state ?? ''
}
