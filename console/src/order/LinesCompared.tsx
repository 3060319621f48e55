import type { OrderLine } from '../api/queries/orders.ts'
import { countText, priceText } from '../ui/Money.tsx'
import { ShortName } from '../ui/Named.tsx'
import classes from './LinesCompared.module.css'

/** Compares the lines that the user saw with the current ones, and marks the differences. */
export function LinesCompared({ then, now }: { then: readonly OrderLine[]; now: readonly OrderLine[] }) {
  const keys = [...new Set([...then, ...now].map(keyOf))]
  const [before, after] = [byKey(then), byKey(now)]
  return (
    <table className={classes.compared} aria-label="As you saw it, and as it is now">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">As you saw it</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const [seen, current] = [before.get(key), after.get(key)]
          const line = seen ?? current
          return (
            <tr key={key}>
              <th scope="row">{line && <ShortName name={line.product_title} id={line.product_id} />}</th>
              <td>{termsOf(seen).join(', ')}</td>
              <td>
                <Changed before={termsOf(seen)} after={termsOf(current)} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Changed({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  if (after.length === 0) return <mark className={classes.changed}>gone</mark>
  return after.map((term, index) => (
    <span key={term}>
      {index > 0 && ', '}
      {term === before[index] ? term : <mark className={classes.changed}>{term}</mark>}
    </span>
  ))
}

function byKey(lines: readonly OrderLine[]): Map<string, OrderLine> {
  return new Map(lines.map((line) => [keyOf(line), line]))
}

/** Matches a counter by the ask that it answers, since each round has a new id, and a line of a plan by the product and terms it sells. */
function keyOf({ in_response_to, product_id, spot_length, rate }: OrderLine): string {
  return in_response_to ?? [product_id, spot_length, rate.buy_type, rate.market_class, rate.advertiser_class].join(' ')
}

function termsOf(line: OrderLine | undefined): string[] {
  return line === undefined ? [] : [line.period.start, countText(line.units, 'unit'), priceText(line.rate, true)]
}
