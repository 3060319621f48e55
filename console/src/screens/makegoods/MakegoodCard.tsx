import type { Makegood } from '../../api/queries/makegoods.ts'
import type { Order, Side } from '../../api/queries/orders.ts'
import { Due, Instant } from '../../ui/Due.tsx'
import { Mark, type Tone } from '../../ui/Mark.tsx'
import { countText, Money, moneyText } from '../../ui/Money.tsx'
import { AnswerActs } from './AnswerActs.tsx'
import classes from './Makegoods.module.css'
import { Offers } from './Offers.tsx'
import { SellerActs } from './SellerActs.tsx'
import { isOpen, STATUSES, spotText } from './texts.ts'

export interface MakegoodCardProps {
  readonly makegood: Makegood
  readonly order: Order
  readonly side: Side
  /** Whether the keys act on it. */
  readonly isActive: boolean
  readonly onActive: () => void
}

/** A makegood: what does not air, what is offered beside it, what was agreed or credited, and what this side may do. */
export function MakegoodCard({ makegood, order, side, isActive, onActive }: MakegoodCardProps) {
  const { status, expires_at, agreed_outside } = makegood
  const [icon, tone] = LOOKS[status]
  return (
    <section
      className={`${classes.card} ${isActive ? classes.active : ''}`}
      aria-label={`Makegood, ${status}`}
      aria-current={isActive}
      onFocus={onActive}
      onPointerDown={onActive}
    >
      <header className={classes.head}>
        <Mark icon={icon} tone={tone} word={capital(status)} detail={agreed_outside ? 'agreed outside' : STATUSES[status]} />
        {isOpen(makegood) && expires_at !== null && <Due by={expires_at} ahead="answer in" isExpiry />}
      </header>
      <div className={classes.sides}>
        <div>
          <h2>Does not air</h2>
          <ul>
            {makegood.for.map((spot) => (
              <li key={`${spot.unit_id} ${spot.date}`}>
                {spotText(order, spot)}
                <span className={classes.dimmed}>
                  {spot.reason_code.replaceAll('_', ' ')}
                  {spot.reason !== undefined && `: ${spot.reason}`}
                </span>
              </li>
            ))}
          </ul>
        </div>
        <Instead makegood={makegood} order={order} />
      </div>
      {side === 'buyer' ? (
        <AnswerActs makegood={makegood} order={order} isActive={isActive} />
      ) : (
        <SellerActs makegood={makegood} order={order} isActive={isActive} />
      )}
      <Steps makegood={makegood} />
    </section>
  )
}

/** What airs in its place, or what is paid back. */
function Instead({ makegood, order }: { makegood: Makegood; order: Order }) {
  const { agreed, credits, offers } = makegood
  const { currency } = order.totals
  if (agreed !== undefined)
    return (
      <div>
        <h2>Airs instead</h2>
        <Offers offers={[agreed]} order={order} />
        <p className={classes.dimmed}>
          Billed at what it replaces, {moneyText(agreed.gross, currency)}, in the month{' '}
          {agreed.billing === 'aired' ? 'of its airing' : 'of what was booked'}
        </p>
      </div>
    )
  if (credits.length > 0)
    return (
      <div>
        <h2>Credited</h2>
        <ul>
          {credits.map(({ unit_id, date, units, gross, broadcast_month, invoice_id }) => (
            <li key={`${unit_id} ${date}`}>
              {countText(units, 'unit')} of {date}, <Money amount={gross} currency={currency} />
              <span className={classes.dimmed}>
                {invoice_id === undefined ? `with the invoice of ${broadcast_month}` : `credit note ${invoice_id}`}
              </span>
            </li>
          ))}
        </ul>
      </div>
    )
  return (
    <div>
      <h2>Offered instead</h2>
      {offers.length === 0 ? <p className={classes.dimmed}>Nothing yet</p> : <Offers offers={offers} order={order} />}
    </div>
  )
}

function Steps({ makegood: { actions } }: { makegood: Makegood }) {
  return (
    <ol className={classes.steps} aria-label="What was done">
      {actions.map(({ action, side, actor, note, at }) => (
        <li key={`${at} ${action}`}>
          <Instant at={at} /> {actor.replaceAll('_', ' ')} ({side}): {DONE[action]}
          {note !== undefined && `, "${note}"`}
        </li>
      ))}
    </ol>
  )
}

const DONE = {
  notice: 'said that it does not air',
  offer: 'offered',
  recall: 'took it back',
  accept: 'accepted',
  decline: 'declined',
  credit: 'took credit',
  expire: 'it expired',
} as const satisfies Record<Makegood['actions'][number]['action'], string>

const LOOKS: Record<Makegood['status'], readonly [Parameters<typeof Mark>[0]['icon'], Tone]> = {
  noticed: ['alert', 'warn'],
  offered: ['swap', 'info'],
  accepted: ['check', 'good'],
  declined: ['cross', 'bad'],
  expired: ['clock', 'bad'],
  recalled: ['ban', 'quiet'],
  credited: ['receipt', 'good'],
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}
