import { useNow } from '../api/clock.ts'
import type { Order } from '../api/queries/orders.ts'
import { useSession } from '../api/session.ts'
import { Icon } from '../ui/icons.tsx'
import { useCard } from './useCard.ts'
import { useKnownLines, useOrderCredit } from './useKnownLines.ts'
import classes from './Verdict.module.css'
import { verdictOf } from './verdict.ts'

const ICONS = { bad: 'ban', warn: 'alert', good: 'check' } as const
const TICK_MS = 60_000

/** Says above the lines of an order what speaks for it and against it, the latter first. For its seller alone. */
export function Verdict({ order }: { order: Order }) {
  const isSeller = useSession().side === 'seller'
  const known = useKnownLines(order, useCard(order, undefined), isSeller)
  const credit = useOrderCredit(order, isSeller)
  const now = Math.floor(useNow() / TICK_MS) * TICK_MS
  if (known.length === 0) return null
  return (
    <ul className={classes.verdict} aria-label="Verdict">
      {verdictOf(order, known, credit, now).map(({ tone, text }) => (
        <li key={text} className={classes[tone]}>
          <Icon name={ICONS[tone]} size={14} /> {text}
        </li>
      ))}
    </ul>
  )
}
