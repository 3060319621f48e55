import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type AvailRate, availsRead } from '../../api/queries/sellers.ts'
import { type BasketLine, isSameOffer, priceOf } from '../../basket/basket.ts'
import { Instant } from '../../ui/Due.tsx'
import { Price } from '../../ui/Money.tsx'
import { weekOf } from '../../ui/weeks.ts'
import classes from './Basket.module.css'

interface LinePriceProps {
  seller: string
  agreement: string
  line: BasketLine
  number: number
  /** The id of the text that says why the API refuses this price; undefined if it does not. */
  fault: string | undefined
  onTake: (rate: AvailRate) => void
}

/** Shows the locked price of a line; if the API refuses it, the currently published price is shown next to it. */
export function LinePrice({ seller, agreement, line, number, fault, onTake }: LinePriceProps) {
  const isRefused = fault !== undefined
  const { product_id, period, rate } = line
  const { data } = useQuery({
    ...availsRead({ seller, product: product_id, weeks: weeksOf(period), agreement }),
    enabled: isRefused,
    staleTime: 0,
  })
  const entry = data?.find((one) => one.period.grain === period.grain && one.period.start === period.start)
  const current = entry?.rates.find((one) => isSameOffer(one, rate))
  return (
    <>
      <span className={isRefused ? classes.refused : ''}>
        <Price rate={priceOf(rate)} />
      </span>
      {rate.quote_expires_at && (
        <span className={classes.about}>
          quote until <Instant at={rate.quote_expires_at} />
        </span>
      )}
      {isRefused && current !== undefined && current.locked_rate_id !== rate.locked_rate_id && (
        <span className={classes.now}>
          now <Price rate={priceOf(current)} />
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Take the current price of line ${number}`}
            aria-describedby={fault}
            onClick={() => onTake(current)}
          >
            Take
          </Button>
        </span>
      )}
      {isRefused && data !== undefined && current === undefined && <span className={classes.about}>not sold any more: take it out</span>}
    </>
  )
}

/** Returns the weeks of a period. */
function weeksOf({ grain, start }: BasketLine['period']): string {
  if (grain === 'week') return start
  if (grain === 'day') return weekOf(Date.parse(start))
  const first = Date.parse(`${start}-01`)
  return `${weekOf(first)}..${weekOf(first + 34 * 86_400_000)}`
}
