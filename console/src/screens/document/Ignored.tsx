import { countText } from '../../ui/Money.tsx'
import classes from './DocumentScreen.module.css'
import type { Parse } from './parse.ts'

/** The rows that order nothing, and why. */
export function Ignored({ parse: { ignored = [] } }: { parse: Parse }) {
  if (ignored.length === 0) return null
  return (
    <details className={classes.ignored}>
      <summary>{countText(ignored.length, 'row')} of the document order nothing</summary>
      <ul>
        {ignored.map(({ row, at, reason }) => (
          <li key={`${at} ${row}`}>
            <bdi>{row}</bdi>{' '}
            <span className={classes.where}>
              {at}, {reason}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
