import { Icon } from '../../ui/icons.tsx'
import { moneyText } from '../../ui/Money.tsx'
import classes from './DocumentScreen.module.css'
import type { Parse } from './resolutions.ts'

/** Compares the totals that the document states with the totals of its lines. */
export function DocumentTotals({ parse: { totals }, currency }: { parse: Parse; currency: string }) {
  if (totals.length === 0) return null
  return (
    <section className={classes.totals}>
      <h2>Totals of the document</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Of</th>
            <th scope="col">Stated</th>
            <th scope="col">Its lines come to</th>
            <th scope="col">Agrees</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ of, lines, read, at, stated, computed, ties }) => (
            <tr key={`${of} ${at}`}>
              <th scope="row">
                {of}
                <span className={classes.at}>{lines === undefined ? 'whole document' : `line ${lines.join(', ')}`}</span>
              </th>
              <td>
                {read}
                <span className={classes.at}>
                  {at}: {amount(of, stated, currency)}
                </span>
              </td>
              <td>{amount(of, computed, currency)}</td>
              <td className={ties ? classes.ties : classes.open}>
                <Icon name={ties ? 'check' : 'alert'} size={14} /> {ties ? 'yes' : 'no; the lines count'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function amount(of: 'gross' | 'units', value: number, currency: string): string {
  return of === 'gross' ? moneyText(value, currency) : String(value)
}
