import type { Order, OrderLine } from '../api/queries/orders.ts'
import type { CardPrice } from '../api/queries/prices.ts'
import type { Avail } from '../api/queries/publishing.ts'
import { Instant } from '../ui/Due.tsx'
import { Price } from '../ui/Money.tsx'
import { Named } from '../ui/Named.tsx'
import { periodGloss } from '../ui/Period.tsx'
import { Status } from '../ui/Status.tsx'
import { ChoiceDetails, hasDetails, LineDecision, UnitsDecision } from './LineDecision.tsx'
import classes from './Lines.module.css'
import { type Ask, asksOf, openAsks } from './rounds.ts'
import { useCard } from './useCard.ts'
import type { Decision } from './useDecision.ts'
import { useKnownLines } from './useKnownLines.ts'
import { aboveCard, FAR_BELOW, isShort, leftOf } from './verdict.ts'

interface LinesProps {
  readonly order: Order
  /** Set for a seller who may decide. */
  readonly decision?: Decision | undefined
  /** The unit_id of the line that the keys act on. */
  readonly active?: string | undefined
  readonly onActive?: (unitId: string) => void
  /** Lines to mark, such as those that differ from another state of the order. */
  readonly marked?: ReadonlySet<string>
}

/** The lines of an order: the ask, each round of the negotiation and the card's price beside it, and the seller's choice. */
export function Lines({ order, decision, active, onActive, marked }: LinesProps) {
  const asks = asksOf(order.line_items)
  const rounds = numbersTo(Math.max(0, ...asks.map((ask) => ask.rounds.length)))
  const open = new Set(openAsks(order).map(({ unit_id }) => unit_id))
  const cardOf = useCard(order, active)
  const known = useKnownLines(order, cardOf, decision !== undefined)
  const availOf = (unitId: string) => known.find(({ line }) => line.unit_id === unitId)?.avail
  return (
    <div className={classes.scroller}>
      <table className={`${classes.table} ${decision && rounds.length === 0 ? classes.decided : ''}`}>
        <Heads rounds={rounds} isDecided={decision !== undefined} />
        <tbody>
          {asks.map((ask, index) => (
            <AskRow
              key={ask.line.unit_id}
              ask={ask}
              card={cardOf(ask.line, ask.rounds.at(-1) ?? ask.line)}
              avail={availOf(ask.line.unit_id)}
              number={index + 1}
              rounds={rounds}
              order={order}
              decision={open.has(ask.line.unit_id) ? decision : undefined}
              isActive={active === ask.line.unit_id}
              isMarked={marked?.has(ask.line.unit_id) ?? false}
              onActive={onActive}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Heads({ rounds, isDecided }: { rounds: readonly number[]; isDecided: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">Line</th>
        <th scope="col">Period</th>
        <th scope="col" className={classes.right}>
          Units
        </th>
        <th scope="col" className={classes.right} title="The price that the buyer asks for">
          Ask
        </th>
        {rounds.map((round) => (
          <th key={round} scope="col">
            Round {round}
          </th>
        ))}
        <th scope="col" className={classes.right} title="The published price">
          Card
        </th>
        <th scope="col">{isDecided ? 'Decision' : 'Status'}</th>
      </tr>
    </thead>
  )
}

interface AskRowProps {
  ask: Ask
  card: CardPrice | null | undefined
  /** For its seller: what is published of its period. */
  avail: Avail | null | undefined
  number: number
  rounds: readonly number[]
  order: Order
  decision: Decision | undefined
  isActive: boolean
  isMarked: boolean
  onActive: LinesProps['onActive']
}

function AskRow(props: AskRowProps) {
  const { ask, card, avail, number, rounds, order, decision, isActive, isMarked, onActive } = props
  const { line, rounds: counters } = ask
  const marks = `${isActive ? classes.active : ''} ${isMarked ? classes.marked : ''}`
  return (
    <>
      {/* The keys that move between lines are bound by the screen. */}
      <tr className={marks} data-line={line.unit_id} aria-current={isActive || undefined} onClick={() => onActive?.(line.unit_id)}>
        <LineName line={line} number={number} />
        <td className={classes.period}>
          {line.period.start}
          <span className={classes.about}>{periodGloss(line.period)}</span>
        </td>
        <td className={classes.right}>
          {decision ? <UnitsDecision order={order} line={line} number={number} decision={decision} /> : unitsText(line)}
          <Left line={line} avail={avail} />
        </td>
        <td className={classes.right}>
          <Price rate={line.rate} />
          <AgainstCard line={line} card={card} />
        </td>
        {rounds.map((round) => (
          <td key={round}>
            <Counter line={counters[round - 1]} />
          </td>
        ))}
        <td className={classes.right}>
          <Card price={card} week={line.period.start} />
        </td>
        <td>
          {decision ? <LineDecision order={order} line={line} number={number} decision={decision} /> : <Status of={line.status} />}
          {line.reason && <span className={classes.about}>{line.reason}</span>}
        </td>
      </tr>
      {decision && hasDetails({ order, line, decision }) && (
        <tr className={`${marks} ${classes.extra}`} data-line={line.unit_id}>
          <td colSpan={6 + rounds.length} className={classes.details}>
            <ChoiceDetails order={order} line={line} number={number} decision={decision} />
          </td>
        </tr>
      )}
    </>
  )
}

function LineName({ line, number }: { line: OrderLine; number: number }) {
  return (
    <th scope="row">
      <span className={classes.number}>{number}</span> <Named name={line.product_title} id={line.product_id} />
      <span className={classes.about}>
        {line.network} · {line.spot_length} s{soldText(line)} · {line.rate.buy_type.replaceAll('_', ' ')}
      </span>
    </th>
  )
}

/** Says how many units are asked of how many that are left, in red where that is more. */
function Left({ line, avail }: { line: OrderLine; avail: Avail | null | undefined }) {
  const left = leftOf(avail)
  if (left === undefined) return null
  return (
    <span className={isShort({ line, avail }) ? classes.short : classes.about}>
      {line.units} of {left} left
    </span>
  )
}

/** Says by how much the ask differs from the published price of its own week. */
function AgainstCard({ line, card }: { line: OrderLine; card: CardPrice | null | undefined }) {
  const above = card?.week === line.period.start || line.period.grain === 'day' ? aboveCard(line, card) : undefined
  if (above === undefined || above === 0) return null
  return <span className={above < -FAR_BELOW ? classes.far : classes.about}>{above > 0 ? `+${above}` : above} %</span>
}

/** Shows the published price, and its week if that differs from the week of the ask. */
function Card({ price, week }: { price: CardPrice | null | undefined; week: string }) {
  if (price === undefined) return null
  if (price === null) return <span className={classes.quiet}>none</span>
  return (
    <>
      <Price rate={price} />
      {price.week !== week && week.includes('W') && <span className={classes.about}>{price.week}</span>}
    </>
  )
}

/** Shows a counter of the seller: its week, its price, how long it is open, and its outcome. */
function Counter({ line }: { line: OrderLine | undefined }) {
  if (line === undefined) return null
  const { period, rate, status } = line
  return (
    <>
      {period.start} <span className={classes.quiet}>{periodGloss(period)}</span> <Price rate={rate} />
      <span className={classes.about}>
        {status === 'countered' && rate.quote_expires_at ? (
          <>
            open until <Instant at={rate.quote_expires_at} />
          </>
        ) : (
          <Status of={status} />
        )}
      </span>
    </>
  )
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}

function unitsText({ status, num_accepted, units }: OrderLine): string {
  return status === 'accepted' && num_accepted !== units ? `${num_accepted} of ${units}` : String(units)
}

/** Shows the seller's remaining inventory, if the seller publishes it. */
function soldText({ availability }: OrderLine): string {
  if (availability === null) return ''
  const { state, sellout_level } = availability
  if (sellout_level !== null) return ` · sold ${Math.round(sellout_level * 100)}%`
  return state === 'unavailable' ? ' · unavailable' : ''
}
