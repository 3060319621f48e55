import { CloseButton, Skeleton } from '@mantine/core'
import type { AvailRate, Period } from '../../api/queries/sellers.ts'
import { type Basket, lineKey, offerKey, offerText } from '../../basket/basket.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Named } from '../../ui/Named.tsx'
import { periodGloss } from '../../ui/Period.tsx'
import classes from './Find.module.css'
import { PriceCell } from './PriceCell.tsx'
import { type Choice, type Column, entryOf, offerOf, periodsOf, pickText, rateOf } from './picks.ts'

interface PriceGridProps {
  columns: readonly Column[]
  grain: Period['grain']
  choice: Choice
  baskets: Readonly<Record<string, Basket>>
  onUnits: (column: Column, period: Period, rate: AvailRate, units: string) => void
  onAsk: (column: Column, period: Period | undefined) => void
  onRemove: (column: Column) => void
}

/** A grid of periods by products: the price, the remaining inventory, and the units in the basket. */
export function PriceGrid({ columns, grain, choice, baskets, onUnits, onAsk, onRemove }: PriceGridProps) {
  const periods = periodsOf(columns, grain)
  const offers = columns.map((column) => offerOf(column, grain, choice))
  useKeys('Find', [{ keys: 'Enter', does: 'Into the prices; arrows move, digits set units', run: () => focusCell(0, 0, 1, 0) }])
  if (periods.length === 0 && columns.every(({ isPending, error }) => !isPending && !error)) {
    return <Empty title={`Nothing is published by ${grain} from here on`}>Choose an earlier week, another period or other products.</Empty>
  }
  return (
    <div className={classes.scroller}>
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">{grain[0]?.toUpperCase() + grain.slice(1)}</th>
            {columns.map((column, at) => (
              <ColumnHead key={pickText(column)} column={column} offer={offers[at]} onAsk={onAsk} onRemove={onRemove} />
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.map((period, row) => (
            <tr key={period.start}>
              <th scope="row">
                {period.start}
                <span className={classes.gloss}>{periodGloss(period)}</span>
              </th>
              {columns.map((column, at) => {
                const entry = entryOf(column, period)
                const offer = offers[at] && offerKey(offers[at])
                const rate = entry && rateOf(entry, { ...choice, offer })
                return (
                  <PriceCell
                    key={pickText(column)}
                    id={cellId(row, at)}
                    name={`${column.product} ${period.start}`}
                    entry={entry}
                    rate={rate}
                    offer={offer}
                    units={rate === undefined ? '' : unitsOf(baskets[column.seller], column, period, rate)}
                    isLocked={baskets[column.seller]?.sent !== undefined}
                    onUnits={(units) => rate !== undefined && onUnits(column, period, rate, units)}
                    onMove={(down, right) => focusCell(row + down, at + right, down, right)}
                    onAsk={() => onAsk(column, period)}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type ColumnHeadProps = { column: Column; offer: AvailRate | undefined } & Pick<PriceGridProps, 'onAsk' | 'onRemove'>

function ColumnHead({ column, offer, onAsk, onRemove }: ColumnHeadProps) {
  const { product, title, airs, seller, isPending, error } = column
  return (
    <th scope="col">
      <span className={classes.column}>
        <span className={classes.product}>
          <Named name={title} id={product} />
        </span>
        <CloseButton size="xs" aria-label={`Remove ${product}`} onClick={() => onRemove(column)} />
      </span>
      <span className={classes.gloss}>
        {[seller, offer?.currency].filter(Boolean).join(' · ')}{' '}
        <button type="button" className={classes.ask} onClick={() => onAsk(column, undefined)}>
          ask
        </button>
      </span>
      <span className={classes.gloss}>{airs}</span>
      <span className={classes.gloss}>{offer && offerText(offer)}</span>
      {isPending && <Skeleton height={8} mt={4} />}
      <FaultAlert error={error} />
    </th>
  )
}

function unitsOf(basket: Basket | undefined, { product }: Column, period: Period, rate: AvailRate): string {
  const key = lineKey({ product_id: product, period, rate })
  return basket?.lines.find((line) => lineKey(line) === key)?.units ?? ''
}

function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`
}

/** Focuses a cell, or the next cell with a price in the direction of the move. */
function focusCell(row: number, column: number, down: number, right: number): void {
  for (let step = 0; step < 400; step += 1) {
    const cell = document.getElementById(cellId(row + step * down, column + step * right))
    if (cell === null) return
    const input = cell.querySelector('input')
    if (input !== null) {
      input.focus()
      input.select()
      return
    }
  }
}
