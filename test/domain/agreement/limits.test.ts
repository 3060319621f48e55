import { describe, expect, it } from '@jest/globals'
import { mostGross } from '../../../src/contract/vocabulary/bounds.ts'
import { checkAgreement, checkLimits } from '../../../src/domain/agreement/checkAgreement.ts'
import { availableCredit, refuseBeyondCredit, statedGross } from '../../../src/domain/agreement/settlement.ts'

const refused = (act: () => unknown) => {
  try {
    act()
    return undefined
  } catch (error) {
    return error as { code: string; message: string; details: Record<string, unknown> }
  }
}

describe('credit', () => {
  const beyond = (gross: number, drawn: object = {}) =>
    refused(() => refuseBeyondCredit({ agreement_id: 'agr', credit_limit: 1_000, gross }, { exposure: 0, family: 0, own: 0, ...drawn }))

  it('may be drawn to its limit, and not a cent further', () => {
    expect([beyond(1_000), beyond(400, { exposure: 600 })]).toEqual([undefined, undefined])
    expect(beyond(400.01, { exposure: 600 })).toMatchObject({
      code: 'CREDIT_LIMIT',
      message: 'The order is worth 400.01; 400 of the credit of 1000 under agr is available.',
      details: { agreement_id: 'agr', credit_limit: 1_000, exposure: 600, available: 400, gross: 400.01, adds: 400.01 },
    })
  })

  it('counts of a family the dearest, and of an order what it adds', () => {
    expect(beyond(900, { exposure: 900, family: 800 })).toBeUndefined()
    expect(beyond(901, { exposure: 900, family: 800 })).toMatchObject({
      message: expect.stringMatching(/worth 901, which adds 101 to its exposure; 100 of/),
      details: { gross: 901, adds: 101 },
    })
    expect(beyond(900, { exposure: 950, own: 850 })).toBeUndefined()
    expect(beyond(901, { exposure: 950, own: 850 })?.details.adds).toBe(51)
    // An order that adds nothing is never refused, even above a limit that was lowered.
    expect(beyond(800, { exposure: 2_000, own: 800 })).toBeUndefined()
    expect(beyond(700, { exposure: 2_000, family: 800 })).toBeUndefined()
  })

  it('is stated exactly', () => {
    expect(availableCredit(100, '99.99').toString()).toBe('0.01')
    const max = mostGross('USD')
    expect(statedGross({ agreement_id: 'agr', currency: 'USD' }, max)).toBe(max)
    expect(refused(() => statedGross({ agreement_id: 'agr', currency: 'USD' }, '10000000000000'))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'agreement_id', maximum: max },
    })
  })
})

describe('an agreement', () => {
  it('lists each product once in its overrides', () => {
    const of = (...ids: string[]) => ids.map((product_id) => ({ product_id })) as never
    expect(refused(() => checkAgreement({}))).toBeUndefined()
    expect(refused(() => checkAgreement({ disclosure_overrides: of('a', '*'), posting_policy_overrides: of('a', 'b') }))).toBeUndefined()
    expect(refused(() => checkAgreement({ disclosure_overrides: of('a', '*', '*') }))).toMatchObject({
      code: 'DUPLICATE_DISCLOSURE_OVERRIDE',
      details: { field: 'disclosure_overrides.2.product_id', product_id: '*' },
    })
    expect(refused(() => checkAgreement({ posting_policy_overrides: of('a', 'b', 'a') }))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'posting_policy_overrides.2.product_id' },
    })
  })

  it('has limits that its currency and JSON can state', () => {
    const limits = (more: object, currency = 'USD') => refused(() => checkLimits({ currency, ...more } as never))?.details.field
    const max = mostGross('USD')
    expect([limits({}), limits({ credit_limit: max, commitment_gross: 0.01 })]).toEqual([undefined, undefined])
    expect([limits({ credit_limit: max + 1 }), limits({ commitment_gross: 0.001 })]).toEqual(['credit_limit', 'commitment_gross'])
    expect(limits({ credit_limit: 0.5 }, 'JPY')).toBe('credit_limit')
  })
})
