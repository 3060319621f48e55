import type { KeyboardEvent } from 'react'
import type { AvailEntry, AvailRate } from '../../api/queries/sellers.ts'
import { offerKey, offerText, priceOf } from '../../basket/basket.ts'
import { Instant } from '../../ui/Due.tsx'
import { Price } from '../../ui/Money.tsx'
import classes from './Find.module.css'
import { leftText } from './picks.ts'

interface PriceCellProps {
  id: string
  name: string
  entry: AvailEntry | undefined
  rate: AvailRate | undefined
  offer: string | undefined
  units: string
  isLocked: boolean
  onUnits: (units: string) => void
  onMove: (down: number, right: number) => void
  onAsk: () => void
}

/** A product in a period: its price, its remaining inventory, and its units in the basket. */
export function PriceCell({ id, name, entry, rate, offer, units, isLocked, onUnits, onMove, onAsk }: PriceCellProps) {
  if (entry === undefined) return <td id={id} className={classes.none} />
  const left = leftText(entry)
  return (
    <td id={id} className={units === '' ? '' : classes.taken}>
      <div className={classes.cell}>
        <span className={classes.price}>
          {rate === undefined ? <span className={classes.gloss}>no price</span> : <Price rate={priceOf(rate)} />}
          <span className={entry.state === 'unavailable' ? classes.soldOut : classes.gloss}>
            {left ?? (
              <button type="button" className={classes.ask} onClick={onAsk} aria-label={`Ask for avails of ${name}`}>
                ask for avails
              </button>
            )}
            {rate && offerKey(rate) !== offer && `, ${offerText(rate)}`}
          </span>
          {rate?.quote_expires_at && (
            <span className={classes.gloss}>
              your quote until <Instant at={rate.quote_expires_at} />
            </span>
          )}
        </span>
        {rate && (
          <input
            className={classes.units}
            inputMode="numeric"
            aria-label={`Units of ${name}`}
            disabled={isLocked}
            value={units}
            onChange={(event) => {
              const text = event.currentTarget.value.trim()
              if (/^\d*$/.test(text)) onUnits(text)
            }}
            onKeyDown={(event) => move(event, onMove)}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </div>
      {entry.sellout_level !== undefined && (
        <span className={classes.meter} aria-hidden="true">
          <span style={{ width: `${Math.round(entry.sellout_level * 100)}%` }} />
        </span>
      )}
    </td>
  )
}

const MOVES: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowUp: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

function move(event: KeyboardEvent<HTMLInputElement>, onMove: PriceCellProps['onMove']): void {
  const step = MOVES[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  onMove(...step)
}
