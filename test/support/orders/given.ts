import { expect } from '@jest/globals'
import type { OrderEvent } from '../../../src/contract/event.ts'
import type { ErrorCode } from '../../../src/contract/vocabulary/codes.ts'
import type { Instant } from '../../../src/domain/calendar.ts'
import { type Decision, stampEvents } from '../../../src/domain/order/decision.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { refusalOf } from '../refusalOf.ts'
import { later } from './anOrder.ts'

type Rule<Args extends unknown[], Outcome> = (order: OrderState, ...args: Args) => Decision<Outcome>

/** `given(order).when(rule, ...whatElseItTakes)`, then checks of the result. By default events are sealed a minute after the last. */
export function given(order: OrderState, now: Instant = later(order)) {
  return {
    when<Args extends unknown[], Outcome>(rule: Rule<Args, Outcome>, ...args: Args): Attempt<Outcome> {
      return new Attempt(order, now, () => rule(order, ...args))
    },
  }
}

class Attempt<Outcome> {
  readonly #order: OrderState
  readonly #now: Instant
  readonly #decide: () => Decision<Outcome>

  constructor(order: OrderState, now: Instant, decide: () => Decision<Outcome>) {
    this.#order = order
    this.#now = now
    this.#decide = decide
  }

  /** Returns the appended events, the order afterwards, and the answer to the caller. */
  result(): { events: OrderEvent[]; after: OrderState; outcome: Outcome } {
    const { events: drafts, outcome } = this.#decide()
    const { events, after } = stampEvents(this.#order, drafts, this.#now)
    return { events, after, outcome: outcome(after) }
  }

  /** Expects exactly this many events, each with at least these members. */
  gives(...events: Record<string, unknown>[]): void {
    expect(this.result().events).toMatchObject(events)
  }

  changesNothing(): void {
    expect(this.result().events).toEqual([])
  }

  refused(code: ErrorCode, details: Record<string, unknown>): void {
    expect(refusalOf(this.#decide)).toMatchObject({ code, details })
  }
}
