import classes from './Bar.module.css'
import { shownKeys } from './keys.ts'

/** Shows a button's keys next to its text. */
export function ButtonKeys({ keys }: { keys: string }) {
  return <span className={classes.keys}>{shownKeys(keys).join(' ')}</span>
}
