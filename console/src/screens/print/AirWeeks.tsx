import type { Order, OrderLine } from '../../api/queries/orders.ts'
import { Named } from '../../ui/Named.tsx'
import { periodGloss } from '../../ui/Period.tsx'
import { weekOf } from '../../ui/weeks.ts'
import classes from './PrintScreen.module.css'

/** Lists the air dates of each line, week by week. */
export function AirWeeks({ order: { line_items } }: { order: Order }) {
  const lines = line_items.filter(({ allocation }) => allocation.length > 0)
  const weeks = [...new Set(lines.flatMap(({ allocation }) => allocation.map(({ date }) => weekOfDate(date))))].sort()
  if (weeks.length === 0) return null
  return (
    <section>
      <h3>Air dates</h3>
      <table className={classes.table}>
        <tbody>
          {weeks.map((week) => (
            <Week key={week} week={week} lines={lines} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Week({ week, lines }: { week: string; lines: readonly OrderLine[] }) {
  const airing = lines
    .map((line) => ({ line, dates: line.allocation.filter(({ date }) => weekOfDate(date) === week) }))
    .filter(({ dates }) => dates.length > 0)
  return airing.map(({ line, dates }, index) => (
    <tr key={line.unit_id}>
      {index === 0 && (
        <th scope="rowgroup" rowSpan={airing.length}>
          {week} {periodGloss({ grain: 'week', start: week })}
        </th>
      )}
      <td>
        <Named name={line.product_title} id={line.product_id} />
      </td>
      <td>{dates.map(({ date, units }) => `${dayText(date)} × ${units}`).join(', ')}</td>
    </tr>
  ))
}

function weekOfDate(date: string): string {
  return weekOf(Date.parse(`${date}T12:00:00Z`))
}

/** Writes `Mon Feb 1` without a comma inside, since commas separate the days. */
function dayText(date: string): string {
  return DAY.format(new Date(`${date}T12:00:00Z`)).replace(',', '')
}

const DAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
