/**
 * The reference model: an order's life in as few words as possible, written from the specification and the choices and not from the rules.
 * It has no ids, stamps, named prices or dates. The service must do what the model says of a command.
 */

export type LineState = 'pending' | 'accepted' | 'countered' | 'rejected'

/** A line the buyer asked for, or, with `answers`, the seller's counter to the ask in that place. */
export interface ModelLine {
  answers?: number
  units: number
  cents: number
  state: LineState
  accepted: number
}

/** A decision's entry for the ask in each place: nothing (null), a count to accept, or a word; a counter names its price. */
export type Entry = null | number | 'accept' | 'reject' | { counter: number }

export type ModelCommand =
  | { do: 'validate' }
  | { do: 'decide'; decision: 'approve' | 'reject' | 'counter'; actor: string; entries: Entry[] }
  | { do: 'rule'; verdict: 'approve' | 'reject' | 'hold' }
  | { do: 'plan'; name: string; units: number[]; expensive: boolean }
  | { do: 'parse'; units: number[] }
  | { do: 'confirm'; action: 'confirm' | 'reject'; plan: string | null; reason: boolean }
  | { do: 'respond'; action: 'accept' | 'withdraw' | 'counter'; late: boolean }
  | { do: 'lapse' }
  | { do: 'cancel' }

type Lines = { units: number; cents: number }[]

export interface ModelOrder {
  /** Whether validation will find inventory; a proposal waits for its plan instead, a document to be read. */
  kind: 'sellable' | 'unsellable' | 'proposal' | 'document'
  /** A proposal's band accepts every plan within the budget. */
  auto: boolean
  /** The plan that may be confirmed, and all plans that were sent, by name. */
  plan: { name: string; lines: Lines } | null
  plans: Record<string, string>
  /** The lines that were read from the document and may be confirmed. */
  read: Lines | null
  status: string
  last_seq: number
  lines: ModelLine[]
  /** Whether an event has said that an open quote lapsed. */
  lapsed: boolean
  /** The answers by request: an exact repeat gets the same answer. */
  answers: Record<string, { last_seq: number; said: Said }>
}

/** The answer to a command: done, with what the reply says of the order; or refused, with a code. */
export type Said = { done: Record<string, unknown> } | { refused: string }
export interface Step {
  order: ModelOrder
  said: Said
  /** The statuses of the events that the step appends. */
  events: string[]
}

export function newOrder(kind: ModelOrder['kind'], units: number[], auto = false): ModelOrder {
  const lines =
    kind === 'proposal' || kind === 'document'
      ? []
      : asked(units.map((count) => ({ units: count, cents: kind === 'sellable' ? 125_050 : 9_999 })))
  return { kind, auto, plan: null, plans: {}, read: null, status: 'submitted', last_seq: 1, lines, lapsed: false, answers: {} }
}

function asked(lines: Lines): ModelLine[] {
  return lines.map((line) => ({ ...line, state: 'pending', accepted: 0 }))
}

/** Executes one command. An exact repeat gets its earlier answer if nothing came in between or if the command would do nothing now. */
export function step(order: ModelOrder, command: ModelCommand): Step {
  const key = repeatKey(command)
  const stored = key === undefined ? undefined : order.answers[key]
  const repeat: Step | undefined = stored && { order, said: stored.said, events: [] }
  if (repeat && stored?.last_seq === order.last_seq) return repeat
  const taken = take(order, command)
  const isLate = 'refused' in taken.said ? taken.said.refused === 'INVALID_STATE' : taken.events.length === 0
  if (repeat && isLate) return repeat
  if (key === undefined || taken.events.length === 0) return taken
  const answers = { ...order.answers, [key]: { last_seq: taken.order.last_seq, said: taken.said } }
  return { ...taken, order: { ...taken.order, answers } }
}

/** Returns the gross in cents: of the asks while nothing is decided, then of the accepted units. */
export function grossOf({ lines }: ModelOrder): number {
  return lines.reduce((sum, { state, units, accepted, cents }) => sum + cents * (state === 'pending' ? units : accepted), 0)
}

/** Returns the status of every line, and how many of its units are accepted. */
export function linesOf({ lines }: ModelOrder): [LineState, number][] {
  return lines.map(({ state, accepted }) => [state, accepted])
}

function repeatKey(command: ModelCommand): string | undefined {
  if (command.do === 'respond') return `respond ${command.action}`
  if (command.do === 'plan' || command.do === 'confirm') return JSON.stringify(command)
  if (command.do !== 'decide') return undefined
  const named = command.entries.map((entry, place) => [place, entry]).filter(([, entry]) => entry !== null)
  return `decide ${JSON.stringify([command.decision, command.actor, named])}`
}

function take(order: ModelOrder, command: ModelCommand): Step {
  switch (command.do) {
    case 'validate':
      return { ...validate(order), said: { done: {} } } // the workflow sees the state of the order when it looks, which may be later
    case 'plan':
      return plan(order, command)
    case 'parse':
      return { ...parse(order, command), said: { done: {} } } // the same holds here
    case 'confirm':
      return confirm(order, command)
    case 'decide':
      return decide(order, command)
    case 'rule':
      if (order.status !== 'seller_review' || command.verdict === 'hold') return unchanged(order)
      return decide(order, { do: 'decide', decision: command.verdict, actor: '', entries: [] })
    case 'respond':
      return respond(order, command)
    case 'lapse':
      return order.status === 'negotiating' && !order.lapsed ? moved(order, ['negotiating'], { lapsed: true }) : unchanged(order)
    case 'cancel':
      if (order.status === 'canceled') return unchanged(order)
      return ['rejected', 'failed'].includes(order.status) ? refused(order, 'INVALID_STATE') : moved(order, ['canceled'])
  }
}

function validate(order: ModelOrder): Step {
  if (order.status === 'confirmed') return moved(order, ['seller_review'])
  if (order.status !== 'submitted') return unchanged(order)
  if (order.kind === 'proposal' || order.kind === 'document') return moved(order, ['validating'])
  return moved(order, ['validating', order.kind === 'sellable' ? 'seller_review' : 'failed'])
}

/** Reads a document once; a document without lines cannot be read. */
function parse(order: ModelOrder, { units }: Extract<ModelCommand, { do: 'parse' }>): Step {
  if (order.kind !== 'document' || order.status !== 'validating') return unchanged(order)
  if (units.length === 0) return moved(order, ['failed'])
  return moved(order, ['needs_confirmation'], { read: units.map((count) => ({ units: count, cents: 125_050 })) })
}

/**
 * Replaces the previous plan; one of the same name must be equal or is refused. A plan that fits the band is confirmed immediately, unless
 * it states less than its lines amount to.
 */
function plan(order: ModelOrder, command: Extract<ModelCommand, { do: 'plan' }>): Step {
  const { name, units, expensive } = command
  const earlier = order.plans[name]
  if (earlier === JSON.stringify(command)) return unchanged(order)
  if (order.kind !== 'proposal' || !['validating', 'needs_confirmation'].includes(order.status)) return refused(order, 'INVALID_STATE')
  if (earlier !== undefined) return refused(order, 'CONFLICT')
  const lines = units.map((count) => ({ units: count, cents: 125_050 }))
  const change = { plan: { name, lines }, plans: { ...order.plans, [name]: JSON.stringify(command) } }
  const comesTo = lines.reduce((sum, line) => sum + line.units * line.cents, 0)
  if (!order.auto || expensive || comesTo > BUDGET_CENTS) return moved(order, ['needs_confirmation'], change)
  return moved(order, ['needs_confirmation', 'seller_review'], { ...change, lines: asked(lines) })
}

/** The gross that a plan within the budget states. */
const BUDGET_CENTS = 2_000_000

function confirm(order: ModelOrder, { action, plan: named, reason }: Extract<ModelCommand, { do: 'confirm' }>): Step {
  if (order.status !== 'needs_confirmation') return refused(order, 'INVALID_STATE')
  if (action === 'reject' && !reason) return refused(order, 'INVALID_INPUT')
  if (named !== null && named !== order.plan?.name) return refused(order, 'CONFLICT')
  if (action === 'reject') return moved(order, ['canceled'])
  const lines = asked(order.plan?.lines ?? order.read ?? [])
  return moved(order, [order.kind === 'document' ? 'confirmed' : 'seller_review'], { lines })
}

function decide(order: ModelOrder, { decision, entries }: Extract<ModelCommand, { do: 'decide' }>): Step {
  if (order.status !== 'seller_review' && order.status !== 'negotiating') return refused(order, 'INVALID_STATE')
  if (!isSensible(order, decision, entries)) return refused(order, 'INVALID_INPUT')
  const made: ModelLine[] = []
  const lines = order.lines.map((line, place): ModelLine => {
    const entry = entries[line.answers ?? place] ?? null
    if (line.answers !== undefined) {
      const stays = decision === 'counter' && entry === null && line.state === 'countered'
      return stays ? line : { ...line, state: 'rejected', accepted: 0 }
    }
    if (entry === null) return unnamed(line, decision)
    if (entry === 'reject') return { ...line, state: 'rejected', accepted: 0 }
    if (entry === 'accept') return { ...line, state: 'accepted', accepted: line.units }
    if (typeof entry === 'number') return { ...line, state: 'accepted', accepted: entry }
    made.push({ answers: place, units: line.units, cents: entry.counter, state: 'countered', accepted: 0 })
    return { ...line, state: 'countered', accepted: 0 }
  })
  const all = [...lines, ...made]
  const some = (state: LineState) => all.some((line) => line.state === state)
  const status = some('countered') ? 'negotiating' : some('accepted') ? 'placed' : 'rejected'
  return moved(order, [status], { lines: all }, ({ last_seq }) => ({
    last_seq,
    units_accepted: count(all, 'accepted'),
    units_countered: count(all, 'countered'),
    units_rejected: count(all, 'rejected'),
  }))
}

/** Answers for the buyer: accepts every open counter, or none and leaves. The asks behind them are answered either way. */
function respond(order: ModelOrder, { action, late }: Extract<ModelCommand, { do: 'respond' }>): Step {
  if (action === 'counter') return refused(order, 'INVALID_INPUT')
  if (order.status !== 'negotiating') return refused(order, 'INVALID_STATE')
  if (action === 'accept' && late) return refused(order, 'STALE_RATE_CARD')
  const takes = ({ answers }: ModelLine) => action === 'accept' && answers !== undefined
  const open = order.lines.filter(({ state }) => state === 'countered')
  const units_accepted = open.filter(takes).length
  const lines = order.lines.map((line): ModelLine => {
    if (line.state !== 'countered') return line
    return takes(line) ? { ...line, state: 'accepted', accepted: line.units } : { ...line, state: 'rejected', accepted: 0 }
  })
  const counts = { units_accepted, units_rejected: open.length - units_accepted }
  return moved(order, [action === 'accept' ? 'placed' : 'canceled'], { lines }, () => counts)
}

/** Decides an ask that a decision does not name; in a later round it keeps its state, unless the seller accepts or ends everything. */
function unnamed(line: ModelLine, decision: 'approve' | 'reject' | 'counter'): ModelLine {
  if (decision === 'reject') return { ...line, state: 'rejected', accepted: 0 }
  if (line.state === 'pending' || (line.state === 'countered' && decision === 'approve')) {
    return { ...line, state: 'accepted', accepted: line.units }
  }
  return line
}

function isSensible({ lines }: ModelOrder, decision: string, entries: Entry[]): boolean {
  const asks = lines.filter(({ answers }) => answers === undefined)
  const fits = entries.every((entry, place) => {
    const ask = asks[place]
    return entry === null || (ask !== undefined && (typeof entry !== 'number' || (entry >= 1 && entry <= ask.units)))
  })
  if (decision === 'reject') return fits && entries.every((entry) => entry === null || entry === 'reject')
  return fits && (decision === 'counter') === entries.some((entry) => typeof entry === 'object' && entry !== null)
}

function count(lines: readonly ModelLine[], state: LineState): number {
  return lines.filter((line) => line.state === state).length
}

function moved(
  order: ModelOrder,
  events: string[],
  change: Partial<ModelOrder> = {},
  more: (after: ModelOrder) => Record<string, unknown> = () => ({}),
): Step {
  const status = events.at(-1) ?? order.status
  const after = { ...order, lapsed: false, status, last_seq: order.last_seq + events.length, ...change }
  return { order: after, said: { done: { status, ...more(after) } }, events }
}

function unchanged(order: ModelOrder): Step {
  return { order, said: { done: { status: order.status } }, events: [] }
}

function refused(order: ModelOrder, code: string): Step {
  return { order, said: { refused: code }, events: [] }
}
