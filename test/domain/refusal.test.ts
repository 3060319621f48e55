import { describe, expect, it } from '@jest/globals'
import { inBodyOrder } from '../../src/domain/bodyOrder.ts'
import { separatorInstead } from '../../src/domain/csvSeparators.ts'
import { envelopeOf } from '../../src/domain/envelope.ts'
import { memoized } from '../../src/domain/memoized.ts'
import { asRefusal, invalid, Refusal, refusalOf, refuse, refuseIfAny } from '../../src/domain/refusal.ts'
import { withoutTrailingSlashes } from '../../src/domain/targets/withoutTrailingSlashes.ts'

describe('a refusal', () => {
  it('takes its code and details from the first fault, and lists all, with what is missing', () => {
    const missing = { ...invalid('b', 'b is required'), missing: true }
    const refusal = refusalOf([{ ...invalid('a.0', 'is wrong'), details: { most: 3 } }, missing])
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', message: 'is wrong', details: { field: 'a.0', most: 3, missing: ['b'] } })
    expect(refusalOf([{ error_code: 'CONFLICT', message: 'x' }]).details).toEqual({})
    const many = Array.from({ length: 1_001 }, (_, n) => invalid(`m${n}`, 'x'))
    expect(refusalOf(many as never).faults).toHaveLength(1_000)
  })

  it('is thrown for faults alone', () => {
    expect(() => refuseIfAny([])).not.toThrow()
    expect(() => refuseIfAny([invalid('a', 'x')])).toThrow(Refusal)
    expect(() => refuse([invalid('a', 'x')])).toThrow(Refusal)
    expect(() => refuse([])).toThrow('at least one fault')
    expect(() => asRefusal(new Error('x'))).toThrow('x')
    const refusal = new Refusal('CONFLICT', 'x')
    expect(asRefusal(refusal)).toBe(refusal)
  })

  it('is told in the order of the body, what it lacks at the end of its object', () => {
    const body = { z: [{ b: 1, a: 1 }], a: { c: 1 } }
    const faults = ['a.none', 'a', 'z.0.a', 'none', 'a.c', 'z.0.b'].map((field) => invalid(field, field))
    const sorted = inBodyOrder(refusalOf(faults as never), body) as Refusal
    expect(sorted.faults.map(({ field }) => field)).toEqual(['z.0.b', 'z.0.a', 'a', 'a.c', 'a.none', 'none'])
    expect(sorted.message).toBe('z.0.b')
    const two = refusalOf([invalid('a.c', 'second'), invalid('z', 'first')])
    expect((inBodyOrder(two, body) as Refusal).message).toBe('first')
    const single = refusalOf([invalid('a', 'x')])
    expect(inBodyOrder(single, body)).toBe(single)
    const other = new Error('x')
    expect(inBodyOrder(other, body)).toBe(other)
    const deep = refusalOf([invalid('a.c.d', 'first'), invalid('z', 'second'), invalid('', 'third')])
    expect((inBodyOrder(deep, body) as Refusal).message).toBe('second')
  })

  it('is an envelope with pointers, and lists a sole fault where a body was wrong', () => {
    const envelope = envelopeOf(
      refusalOf([
        { ...invalid('a/b.0.c~d', 'x'), details: { most: 1 } },
        { error_code: 'INVALID_INPUT', message: 'y' },
      ]),
    )
    expect(envelope.details.errors).toEqual([
      { pointer: '/a~1b/0/c~0d', error_code: 'INVALID_INPUT', message: 'x', field: 'a/b.0.c~d', most: 1 },
      { pointer: '', error_code: 'INVALID_INPUT', message: 'y' },
    ])
    const sole = envelopeOf(new Refusal('INVALID_INPUT', 'x', { field: 'a' }))
    expect(sole).toMatchObject({
      error_code: 'INVALID_INPUT',
      error_message: 'x',
      details: { field: 'a', errors: [{ pointer: '/a', field: 'a' }] },
    })
    expect(envelopeOf(new Refusal('INVALID_INPUT', 'x')).details.errors).toEqual([
      { pointer: '', error_code: 'INVALID_INPUT', message: 'x' },
    ])
    expect(envelopeOf(new Refusal('CONFLICT', 'x', { field: 'a' })).details).toEqual({ field: 'a' })
    expect(envelopeOf(new Refusal('NOT_FOUND', 'x')).details).toEqual({})
  })
})

it('what is memoized is computed once for each argument, undefined excepted, and again after five thousand', () => {
  let computed = 0
  const length = memoized((text: string) => {
    computed += 1
    return text === 'none' ? undefined : text.length
  })
  expect([length('a'), length('a'), length('bb'), computed]).toEqual([1, 1, 2, 2])
  expect([length('none'), length('none'), computed]).toEqual([undefined, undefined, 4])
  for (let n = 0; n < 5_000; n += 1) length(`text ${n}`)
  const before = computed
  expect([length('a'), computed]).toEqual([1, before + 1])
})

it('a separator is told by the marks that are more than commas', () => {
  const of = (row: string) => separatorInstead((mark) => row.split(mark).length - 1)
  expect(['a,b', 'a;b;c,d', 'a\tb', 'a|b', 'a;b,c', 'a'].map(of)).toEqual([undefined, 'semicolons', 'tabs', 'bars', undefined, undefined])
})

it('slashes at the end of a URL are stripped, all of them and no other', () => {
  expect(['https://a/b//', 'https://a/b', '/', ''].map(withoutTrailingSlashes)).toEqual(['https://a/b', 'https://a/b', '', ''])
})
