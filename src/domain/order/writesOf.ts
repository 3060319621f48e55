import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { OrderEvent } from '../../contract/event.ts'
import type { PlanProposal } from '../../contract/planProposal.ts'
import type { Product } from '../../contract/product.ts'
import type { Approval, GateDue } from '../../contract/vocabulary.ts'
import { type Instant, stampAfter } from '../calendar.ts'
import type { Decimal } from '../decimal.ts'
import type { Quote } from '../lines/quote.ts'
import { type Decision, stampEvents } from './decision.ts'
import { type EndedQuote, endedQuotes } from './endedQuotes.ts'
import { exposureOf } from './exposure.ts'
import { type DatedMember, lastPlacedAt } from './family.ts'
import { checkRoom } from './logRoom.ts'
import { currentPlan, type OrderState } from './state.ts'
import { type PlacedRevision, placedRevision, supersede } from './supersede.ts'

/** An order, and what its events depend on besides it. */
export interface Decided {
  readonly order: OrderState
  /** The length of its log in characters. */
  readonly characters: number
  /** The gate that the seller's profile currently declares. */
  readonly approval: Approval
}

/** The family of an order that is placed, and the placed order of it that the placement ends, if there is one. */
export interface PlacingFamily<Member extends Decided> {
  readonly members: readonly DatedMember[]
  readonly placed: readonly { readonly member: Member; readonly is_ancestor: boolean }[]
}

/** The family of an order that has none, or that is not placed. */
export const NO_FAMILY = { members: [], placed: [] } as const

/** Everything that a decision writes, in one commit. */
export interface Writes<Outcome, Member extends Decided = Decided> {
  readonly after: OrderState
  readonly events: readonly OrderEvent[]
  /** The gate that is then due; undefined leaves what the order's row says. */
  readonly gate_due: GateDue | null | undefined
  readonly outcome: Outcome
  readonly quotes: readonly Quote[]
  readonly ended: readonly EndedQuote[]
  /** The credit of a cleared agreement that it draws on. */
  readonly draw: CreditDraw | undefined
  readonly minted: readonly Product[]
  /** The plan that answers its buyer's avails requests. */
  readonly plan: PlanProposal | undefined
  readonly rule: Pick<ApprovalRule, 'id' | 'then'> | undefined
  /** The ends of placed orders of the family, which come before the events. */
  readonly ends: readonly End<Member>[]
}

/** What an order draws on its agreement's credit: in all, and so far. */
export interface CreditDraw {
  readonly agreement_id: string
  readonly gross: Decimal
  readonly own: Decimal
}

/** The end of a placed order because another one of its family is placed. */
export interface End<Member extends Decided> {
  readonly member: Member
  readonly by: PlacedRevision
  readonly writes: Writes<unknown, never>
}

/**
 * Returns everything that a decision writes. The later of two placed orders has the later stamp, even
 * if machines' clocks differ: closings tell by it which order remains. Errors: Refusal INVALID_INPUT if the log has no room.
 */
export function writesOf<Outcome, Member extends Decided = never>(
  { order, characters, approval }: Decided,
  decision: Decision<Outcome>,
  now: Instant,
  family: PlacingFamily<Member> = NO_FAMILY,
): Writes<Outcome, Member> {
  const { members } = family
  const { events, after, gate_due } = stampEvents(order, decision.events, stampAfter(lastPlacedAt(members), now), {
    approval,
    family: members,
  })
  checkRoom(characters, events)
  return {
    ...{ after, events, gate_due },
    outcome: decision.outcome(after),
    quotes: decision.quotes ?? [],
    ended: endedQuotes(order, after, events),
    draw: drawOf(order, after),
    minted: decision.minted ?? [],
    plan: events.some(({ artifact }) => artifact?.name === 'plan_proposal') ? currentPlan(after) : undefined,
    rule: decision.rule,
    ends: endsOf(after, family),
  }
}

/** Returns true if one statement can write it all: events and quotes. */
export function isOneStatement({ draw, minted, plan, rule, ends }: Writes<unknown>): boolean {
  return draw === undefined && minted.length === 0 && plan === undefined && rule === undefined && ends.length === 0
}

/**
 * Returns what a command draws on the credit of a cleared agreement: the confirm of a proposal or a document, which has no value before,
 * and a counter above its ask. An accept never does, since a countered ask counts at its counter's price (choices, Pacing, credit).
 */
function drawOf(before: OrderState, after: OrderState): CreditDraw | undefined {
  const { agreement_id } = after.request
  if (after.facts.settlement_mode !== 'cleared' || agreement_id === undefined) return undefined
  const [gross, own] = [exposureOf(after), exposureOf(before)]
  return gross.gt(own) ? { agreement_id, gross, own } : undefined
}

/**
 * Returns the end of the family's placed order, since only one may be placed at a time. It has the stamp of the placement, so that both logs
 * agree on the date when the other takes effect. The closing ends open orders of the family.
 */
function endsOf<Member extends Decided>(after: OrderState, { placed }: PlacingFamily<Member>): End<Member>[] {
  const by = placedRevision(after)
  if (by === undefined) return []
  return placed.flatMap(({ member, is_ancestor }) => {
    const decision = supersede(member.order, by, is_ancestor)
    return decision.events.length === 0 ? [] : [{ member, by, writes: writesOf(member, decision, by.placed_at) }]
  })
}
