import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  ACTIONS_BEFORE_LAST_DISPUTE,
  VARIANCE_ACTIONS,
  VARIANCE_CODES,
  type VarianceAction,
  type VarianceState,
} from '../../../src/contract/vocabulary/reconciliation.ts'
import { decimal, jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { type AskedAction, actOnVariance, isInvoiced, type OpenVariance } from '../../../src/domain/settlement/actOnVariance.ts'
import { spotsOfVariances } from '../../../src/domain/settlement/spotsOfVariances.ts'
import { type VarianceStep, varianceState } from '../../../src/domain/settlement/varianceState.ts'
import { refusalOf } from '../../support/refusalOf.ts'
import { anAiring } from '../../support/settlement/aSellerRow.ts'

const NOW = { units: 1, gross: 4200 }
const step = (action: VarianceAction, more: Partial<VarianceStep> = {}): VarianceStep => ({
  ...NOW,
  action,
  note: null,
  amount: action === 'credit' ? '4200' : null,
  ...more,
})
const standing = (actions: readonly VarianceAction[], more: Partial<OpenVariance> = {}): OpenVariance => ({
  code: 'OUT_OF_DAYPART',
  currency: 'USD',
  steps: actions.map((action) => step(action)),
  now: NOW,
  credited: 0,
  ...more,
})
const refusalTo = (variance: OpenVariance, asked: AskedAction) => refusalOf(() => actOnVariance(variance, asked))

describe('the state of a variance', () => {
  it.each<[VarianceAction[], VarianceState]>([
    [[], 'open'],
    [['accept'], 'accepted'],
    [['dispute'], 'disputed'],
    [['dispute', 'credit'], 'credited'],
    [['dispute', 'uphold'], 'upheld'],
    [['dispute', 'uphold', 'dispute'], 'disputed'],
  ])('after %j is %s', (actions, state) => {
    expect(varianceState(standing(actions).steps, NOW)).toBe(state)
    expect(varianceState(standing(actions).steps, undefined)).toBe('gone')
  })

  it.each([{ units: 2 }, { gross: 4200.01 }])('is open again when new data changes its figures to %j', (changed) => {
    expect(varianceState([step('accept')], { ...NOW, ...changed })).toBe('open')
  })

  it('is of the last action again when the figures are those that it was about', () => {
    expect(varianceState([step('accept', { gross: '4200.00' })], NOW)).toBe('accepted')
  })
})

describe('an action', () => {
  const STATES: Readonly<Record<VarianceState, OpenVariance>> = {
    open: standing([]),
    accepted: standing(['accept']),
    disputed: standing(['dispute']),
    credited: standing(['dispute', 'credit']),
    upheld: standing(['dispute', 'uphold']),
    gone: { ...standing(['dispute']), now: undefined },
  }
  const ALLOWED: Readonly<Record<VarianceState, readonly VarianceAction[]>> = {
    open: ['accept', 'dispute'],
    accepted: ['accept'],
    disputed: ['dispute', 'credit', 'uphold'],
    credited: ['credit', 'accept', 'dispute'],
    upheld: ['uphold', 'accept', 'dispute'],
    gone: [],
  }
  const every = Object.keys(STATES).flatMap((state) => VARIANCE_ACTIONS.map((action) => [action, state as VarianceState] as const))

  const isAllowed = ([action, state]: (typeof every)[number]) => ALLOWED[state].includes(action)

  it.each(every.filter(isAllowed))('%s of a variance that is %s is allowed', (action, state) => {
    expect(() => actOnVariance(STATES[state], { action })).not.toThrow()
  })

  it.each(every.filter((each) => !isAllowed(each)))('%s of a variance that is %s is refused with its state', (action, state) => {
    expect(refusalTo(STATES[state], { action })).toMatchObject({ code: 'INVALID_STATE', details: { state } })
  })

  it('that repeats the last one changes nothing, and another note or amount does not repeat it', () => {
    const credited = standing(['dispute', 'credit'])
    for (const asked of [{ action: 'credit' }, { action: 'credit', amount: 4200 }] as const)
      expect(actOnVariance(credited, asked)).toBeUndefined()
    for (const more of [{ amount: 4199 }, { note: 'for the rest' }])
      expect(refusalTo(credited, { action: 'credit', ...more })).toMatchObject({ details: { state: 'credited' } })
  })

  it('with a key of its own never counts as a repeat', () => {
    const refused = () => actOnVariance(standing(['dispute']), { action: 'dispute' }, { isKeyed: true })
    expect(refused).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }))
  })

  it('that disputes is refused after many, while accepting is still possible', () => {
    const many = standing(Array.from({ length: ACTIONS_BEFORE_LAST_DISPUTE / 2 }, () => ['dispute', 'uphold'] as const).flat())
    const maximum = ACTIONS_BEFORE_LAST_DISPUTE
    expect(refusalTo(many, { action: 'dispute' })).toMatchObject({ code: 'INVALID_STATE', details: { state: 'upheld', maximum } })
    expect(actOnVariance(many, { action: 'accept' })).toMatchObject({ amount: null })
  })
})

describe('a credit', () => {
  const credit = (amount?: number, more: Partial<OpenVariance> = {}) =>
    actOnVariance(standing(['dispute'], more), { action: 'credit', amount })?.amount?.toFixed(2)

  it('is what is left of the price unless an amount is sent', () => {
    expect([credit(), credit(0.01), credit(4200), credit(undefined, { credited: '200.50' })]).toEqual([
      '4200.00',
      '0.01',
      '4200.00',
      '3999.50',
    ])
  })

  it.each([
    [0, 0, 4200],
    [4200.01, 0, 4200],
    [1, 4200, 0],
    [200, 4000.5, 199.5],
  ])('of %d with %d credited before is refused', (amount, credited, maximum) => {
    expect(refusalTo(standing(['dispute'], { credited }), { action: 'credit', amount })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'amount', maximum },
    })
  })

  it('is at most what the platform’s invoice has left, where the code is of what it bills', () => {
    expect([credit(undefined, { invoiceLeft: 4199.99 }), credit(undefined, { invoiceLeft: 0 })]).toEqual(['4199.99', '0.00'])
    expect(credit(undefined, { invoiceLeft: 1, code: 'RATE_MISMATCH' })).toBe('4200.00')
    const asked = { action: 'credit', amount: 4200 } as const
    expect(refusalTo(standing(['dispute'], { invoiceLeft: 4199.99 }), asked)).toMatchObject({ details: { maximum: 4199.99 } })
  })

  it('of a spot without a price, or billed below it, is of nothing', () => {
    for (const gross of [0, -300]) {
      const now = { units: 1, gross }
      const variance = { ...standing([], { code: 'RATE_MISMATCH' }), steps: [step('dispute', { gross })], now }
      expect(actOnVariance(variance, { action: 'credit' })).toMatchObject({ amount: decimal(0), invoiceCredit: undefined })
    }
  })
})

describe('the platform’s invoice', () => {
  it('is disputed and credited for spots that it bills, and not for what only the seller’s files bill', () => {
    for (const code of VARIANCE_CODES) {
      const disputed = actOnVariance(standing([], { code }), { action: 'dispute' })?.disputed
      const credited = actOnVariance(standing(['dispute'], { code }), { action: 'credit' })?.invoiceCredit
      expect([code, jsonNumber(disputed ?? 0), jsonNumber(credited ?? 0)]).toEqual([code, ...(isInvoiced(code) ? [4200, 4200] : [0, 0])])
    }
    expect(VARIANCE_CODES.filter((code) => !isInvoiced(code))).toEqual(['RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE'])
  })

  it('has a spot once, however many variances are found in the same rows', () => {
    const rows = [anAiring()]
    const found = [
      ...(['OUT_OF_DAYPART', 'WRONG_COPY', 'RATE_MISMATCH'] as const).map((code) => ({ code, rows, variance_id: code })),
      ...['a', 'b'].map((variance_id) => ({ code: 'ORDERED_NOT_RUN' as const, rows: [], variance_id })),
      ...['c', 'd'].map((variance_id) => ({ code: 'MISSED' as const, rows, variance_id })),
    ]
    const spots = spotsOfVariances(found)
    const areOne = (one: string, other: string) => spots.get(one) === spots.get(other)
    expect([areOne('OUT_OF_DAYPART', 'WRONG_COPY'), areOne('OUT_OF_DAYPART', 'c')]).toEqual([true, true])
    expect([areOne('OUT_OF_DAYPART', 'RATE_MISMATCH'), areOne('a', 'b'), areOne('c', 'd')]).toEqual([false, false, false])
  })
})

describe('any actions, in any order', () => {
  const someAsked = fc.record(
    {
      action: fc.constantFrom(...VARIANCE_ACTIONS),
      note: fc.constantFrom('one', 'two'),
      amount: fc.integer({ min: 0, max: 500_000 }).map((cents) => cents / 100),
    },
    { requiredKeys: ['action'] },
  )
  const asked = someAsked.map(({ amount, ...said }) => (said.action === 'credit' ? { ...said, amount } : said))
  const someNow = fc.record({ units: fc.constantFrom(1, 2), gross: fc.constantFrom(4200, 300, 0, -5) })
  const someEvent = fc.oneof({ weight: 6, arbitrary: asked }, { weight: 1, arbitrary: fc.option(someNow, { nil: undefined }) })

  it('keep every step, never credit more than the price, and dispute nothing but while disputed or upheld', () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 60 }), fc.constantFrom(...VARIANCE_CODES), (events, code) => {
        let now: OpenVariance['now'] = NOW
        const steps: VarianceStep[] = []
        let highest = now.gross as number
        for (const event of events) {
          if (event === undefined || !('action' in event)) {
            now = event
            highest = Math.max(highest, jsonNumber(event?.gross ?? 0))
            continue
          }
          const before = varianceState(steps, now)
          const credited = sum(steps.map(({ amount }) => amount ?? 0))
          let next: ReturnType<typeof actOnVariance>
          try {
            next = actOnVariance({ code, currency: 'USD', steps, now, credited }, event)
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal)
            expect(varianceState(steps, now)).toBe(before)
            continue
          }
          if (next === undefined) continue
          expect(now).toBeDefined()
          expect(['accepted', 'gone']).not.toContain(before)
          const { action, note = null } = event
          steps.push({ ...(now ?? NOW), action, note, amount: next.amount })
          expect(next.amount !== null).toBe(action === 'credit')
          expect(jsonNumber(next.disputed) > 0 && !(action === 'dispute' || action === 'uphold')).toBe(false)
          expect(
            actOnVariance({ code, currency: 'USD', steps, now, credited: credited.plus(next.amount ?? decimal(0)) }, event),
          ).toBeUndefined()
        }
        expect(jsonNumber(sum(steps.map(({ amount }) => amount ?? 0)))).toBeLessThanOrEqual(Math.max(highest, 0))
        expect(steps.filter(({ action }) => action === 'dispute').length).toBeLessThanOrEqual(ACTIONS_BEFORE_LAST_DISPUTE)
      }),
      { numRuns: 2_000 },
    )
  })
})
