import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { answerMakegood } from '../../../src/domain/makegood/buyer.ts'
import type { MakegoodFacts } from '../../../src/domain/makegood/makegoodFacts.ts'
import type { MakegoodState } from '../../../src/domain/makegood/makegoodState.ts'
import { noticeMakegood, offerMakegood, recallMakegood } from '../../../src/domain/makegood/seller.ts'
import { accountsOf } from '../../../src/domain/makegood/unitsOfSpots.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { anOffer, aPlaced, FRIDAY, facts, MONDAY, missing, UNIT, WEDNESDAY } from '../../support/makegoods/someMakegoods.ts'
import { aLine } from '../../support/orders/anOrder.ts'

const ORDER = aPlaced({ lines: [aLine({ units: 9, rate: { unit_cost: 33.335 } })] })
const BOOKED = 3
const DATES = [MONDAY, WEDNESDAY, FRIDAY]

/** A message of a party: it begins a makegood of its number, or is about it. */
type Message =
  | { of: number; type: 'notice'; units: number; date: string; offer: boolean }
  | { of: number; type: 'offer' | 'recall' | 'accept' | 'decline' | 'credit'; version: number }

const someMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    of: fc.nat(4),
    type: fc.constant('notice' as const),
    units: fc.integer({ min: 1, max: 4 }),
    date: fc.constantFrom(...DATES),
    offer: fc.boolean(),
  }),
  fc.record({
    of: fc.nat(4),
    type: fc.constantFrom('offer' as const, 'recall' as const, 'accept' as const, 'decline' as const, 'credit' as const),
    version: fc.integer({ min: 1, max: 3 }),
  }),
)

/** Does what a message says; a refused one changes nothing. */
function take(made: Map<number, MakegoodState>, message: Message): boolean {
  const { of } = message
  const given: MakegoodFacts = facts({
    order: ORDER,
    others: [...made].filter(([number]) => number !== of).map(([, makegood]) => makegood),
  })
  const before = made.get(of)
  try {
    if (message.type === 'notice') {
      if (before !== undefined) return false
      const offers = message.offer ? [anOffer({ units: 2 })] : []
      made.set(of, noticeMakegood({ for: [missing(message.units, message.date)], offers, actor: 'Sam' }, given).makegood)
      return true
    }
    if (before === undefined) return false
    const { type, version } = message
    if (type === 'offer') made.set(of, offerMakegood(before, { offers: [anOffer()], version, actor: 'Sam', actions: 1 }, given).makegood)
    else if (type === 'recall') made.set(of, recallMakegood(before, { version, actor: 'Sam' }, given.now).makegood)
    else made.set(of, answerMakegood(before, { action: type, version, actor: 'Bo' }, given).makegood)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

describe('any messages', () => {
  it('leave units made good + credited + open = units missed, per spot, and never more than are booked', () => {
    fc.assert(
      fc.property(fc.array(someMessage, { maxLength: 25 }), (messages) => {
        const made = new Map<number, MakegoodState>()
        for (const message of messages) take(made, message)
        for (const account of accountsOf([...made.values()]).values()) {
          expect(account.made_good + account.credited + account.open).toBe(account.missed)
          expect(account.made_good + account.credited + account.waiting).toBeLessThanOrEqual(BOOKED)
          expect(Math.min(account.made_good, account.credited, account.open, account.waiting)).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('come to one account, whatever the order of the makegoods', () => {
    const shuffled = fc.array(someMessage, { maxLength: 25 }).chain((messages) => {
      const made = new Map<number, MakegoodState>()
      for (const message of messages) take(made, message)
      const all = [...made.values()]
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))
    })
    fc.assert(
      fc.property(shuffled, ([one, other]) => expect(new Map(accountsOf(other))).toEqual(new Map(accountsOf(one)))),
      { numRuns: 200 },
    )
  })

  it('value what is taken of a date so that all of it comes to the date, to the cent', () => {
    const parts = fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(parts, fc.boolean(), (units, areCredited) => {
        const made = new Map<number, MakegoodState>()
        units.forEach((count, of) => {
          take(made, { of, type: 'notice', units: count, date: MONDAY, offer: true })
          take(made, { of, type: areCredited ? 'credit' : 'accept', version: 1 })
        })
        const entries = [...made.values()].flatMap(({ agreed, credits }) => [...(agreed?.replaces ?? []), ...credits])
        const taken = entries.reduce((total, entry) => total + entry.units, 0)
        if (taken === BOOKED) expect(jsonNumber(sum(entries.map(({ gross }) => gross)))).toBe(100.01) // 3 x 33.335, rounded once
      }),
    )
  })

  it('that are sent again until they are taken come to one state in any order, doubled or not', () => {
    // One makegood's story has one outcome: what comes too early is refused, and sent again.
    const story: Message[] = [
      { of: 0, type: 'notice', units: 2, date: MONDAY, offer: false },
      { of: 0, type: 'offer', version: 1 },
      { of: 0, type: 'accept', version: 2 },
      { of: 1, type: 'notice', units: 1, date: WEDNESDAY, offer: true },
      { of: 1, type: 'decline', version: 1 },
      { of: 2, type: 'notice', units: 1, date: FRIDAY, offer: false },
      { of: 2, type: 'recall', version: 1 },
    ]
    const outcomeOf = (messages: readonly Message[]) => {
      const made = new Map<number, MakegoodState>()
      let left = [...messages]
      for (let round = 0; round < story.length; round += 1) left = left.filter((message) => !take(made, message))
      return new Map([...made].sort(([a], [b]) => a - b))
    }
    const expected = outcomeOf(story)
    expect([...expected.values()].map(({ status }) => status)).toEqual(['accepted', 'declined', 'recalled'])
    const doubled = [...story, ...story]
    fc.assert(
      fc.property(fc.shuffledSubarray(doubled, { minLength: doubled.length }), (messages) => {
        expect(outcomeOf(messages)).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})

it(`the unit ${UNIT} books three spots on each date`, () => {
  expect(ORDER.lines[0]?.allocation).toEqual(DATES.map((date) => ({ date, units: BOOKED })))
})
