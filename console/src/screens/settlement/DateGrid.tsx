import { useMemo } from 'react'
import type { ReconciliationLine } from '../../api/queries/settlement.ts'
import { Icon } from '../../ui/icons.tsx'
import { AirDate } from '../../ui/Period.tsx'
import classes from './DateGrid.module.css'
import { cellId, gridOf, madeGoodText } from './varianceGrid.ts'

interface DateGridProps {
  readonly lines: readonly ReconciliationLine[]
  /** What a line sells and when, by its unit_id, once that is known. */
  readonly nameOf: (unitId: string) => string | undefined
  readonly chosen: string | undefined
  readonly choose: (cell: string) => void
}

/** Shows aired and ordered units by date, and marks the dates with a variance. */
export function DateGrid({ lines, nameOf, chosen, choose }: DateGridProps) {
  const { dates, rows } = useMemo(() => gridOf(lines), [lines])
  const hasMakegoods = lines.some(({ missed, made_good = 0, makegood }) => missed + made_good + makegood > 0)
  return (
    <table className={classes.grid}>
      <caption className={classes.hidden}>Aired of ordered, by line and date</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Network</th>
          {hasMakegoods && <th scope="col">Made good</th>}
          {dates.map((date) => (
            <th key={date} scope="col">
              <AirDate date={date} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, unit, network, cells }) => (
          <tr key={key}>
            <th scope="row" title={unit}>
              {nameOf(unit) ?? unit}
            </th>
            <td>{network}</td>
            {hasMakegoods && <td>{madeGoodText([...cells.values()])}</td>}
            {dates.map((date) => {
              const line = cells.get(date)
              return <td key={date}>{line && <Cell line={line} isChosen={cellId(line) === chosen} choose={choose} />}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Shows `2/3`: aired out of ordered. The accessible name repeats it, since users of speech control say what they see. */
function Cell({ line, isChosen, choose }: { line: ReconciliationLine; isChosen: boolean; choose: (cell: string) => void }) {
  const aired = line.aired_in_spec + line.aired_out_of_spec + line.makegood + line.unordered
  const states = [...new Set(line.variances.map(({ state }) => state))]
  const label = `${line.air_date}: ${aired}/${line.ordered} aired, ${line.billed} billed${line.codes.length > 0 ? `, ${line.codes.join(', ')}, ${states.join(', ')}` : ''}`
  return (
    <button
      type="button"
      className={`${classes.cell} ${isChosen ? classes.chosen : ''} ${line.codes.length > 0 ? classes[toneOf(states)] : ''}`}
      aria-label={label}
      aria-pressed={isChosen}
      onClick={() => choose(cellId(line))}
    >
      {line.codes.length > 0 && <Icon name={states.includes('open') ? 'alert' : 'swap'} size={12} />}
      {aired}/{line.ordered}
    </button>
  )
}

function toneOf(states: readonly string[]): 'open' | 'disputed' | 'settled' {
  if (states.includes('disputed')) return 'disputed'
  return states.includes('open') ? 'open' : 'settled'
}
