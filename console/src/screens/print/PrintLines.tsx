import type { Order, OrderLine } from '../../api/queries/orders.ts'
import { Price } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { Period } from '../../ui/Period.tsx'
import { statusWord } from '../../ui/Status.tsx'
import classes from './PrintScreen.module.css'

/** Lists every line with its price and outcome; a counter follows its ask as a line of its own. */
export function PrintLines({ order: { line_items } }: { order: Order }) {
  const asks = line_items.filter(({ in_response_to }) => in_response_to === undefined)
  const lines = asks.flatMap((ask) => [ask, ...line_items.filter(({ in_response_to }) => in_response_to === ask.unit_id)])
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col">Network</th>
          <th scope="col">Period</th>
          <th scope="col">Length</th>
          <th scope="col">Buy type</th>
          <th scope="col" className={classes.right}>
            Units
          </th>
          <th scope="col" className={classes.right}>
            Price
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <PrintLine key={line.unit_id} line={line} />
        ))}
      </tbody>
    </table>
  )
}

function PrintLine({ line }: { line: OrderLine }) {
  const { product_id, product_title, network, period, spot_length, rate, units, num_accepted, status, in_response_to } = line
  return (
    <tr>
      <th scope="row">
        {in_response_to !== undefined && '↳ counter: '}
        <Named name={product_title} id={product_id} />
      </th>
      <td>{network}</td>
      <td>
        <Period period={period} />
      </td>
      <td>{spot_length} s</td>
      <td>{rate.buy_type.replaceAll('_', ' ')}</td>
      <td className={classes.right}>{status === 'accepted' && num_accepted !== units ? `${num_accepted} of ${units}` : units}</td>
      <td className={classes.right}>
        <Price rate={rate} currency />
      </td>
      <td>{statusWord(status)}</td>
    </tr>
  )
}
