import classes from './Bar.module.css'
import { shownKeys } from './keys.ts'

/** The keys that do what a button does, beside its words. */
export function ButtonKeys({ keys }: { keys: string }) {
  return <span className={classes.keys}>{shownKeys(keys).join(' ')}</span>
}
