import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isStorableText, strictJson } from '../../src/domain/strictJson.ts'

const read = (text: string) => strictJson(Buffer.from(text))
const refused = (code: string) => expect.objectContaining({ code })

describe('strictJson', () => {
  it('reads any JSON with any spacing', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter(isStorableText)
    const scalar = fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer({ min: -1e9, max: 1e9 }))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    }))
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (sent, space) => {
        const written = JSON.stringify(sent, null, space)
        expect(read(written)).toEqual(JSON.parse(written))
      }),
    )
  })

  it.each([
    ['', 'nothing'],
    ['{', 'half an object'],
    ['{"a":1,"a":1}', 'a key twice'],
    ['{"a":{"b":1,"\\u0062":2}}', 'a key twice, written otherwise'],
    ['["\\u0000"]', 'U+0000'],
    ['["\\ud800"]', 'a lone surrogate'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'a 33rd level'],
    ['12345678901234567', 'a whole number that a double does not keep'],
    ['1234567890.12345678', '18 significant digits'],
    ['1e400', 'more than a double holds'],
    ['1e-400', 'less than a double holds'],
  ])('refuses %s: %s', (text) => {
    expect(() => read(text)).toThrow(refused('MALFORMED_REQUEST'))
  })

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
    `${'['.repeat(32)}${']'.repeat(32)}`,
    '100000000000000000000',
    '0.10',
    '0.30000000000000004',
    '9007199254740991',
  ])('takes %s', (text) => {
    expect(read(text)).toEqual(JSON.parse(text))
  })

  it('says which number it refuses, and why', () => {
    const number = { code: 'MALFORMED_REQUEST', details: { field: 'a.1.b' } }
    const message =
      'The number 12345678901234567 at a.1.b is a whole number that a double does not keep, which would be read as 12345678901234568.'
    expect(() => read('{"x":{"y":[1,2]},"a":["b\\",[",{"b":12345678901234567}],"c":1}')).toThrow(
      expect.objectContaining({ ...number, message }),
    )
    expect(() => read('{"a":[0,{"\\u0062":1e400}]}')).toThrow(expect.objectContaining(number))
  })

  it('refuses more values than one body should have before it reads them', () => {
    const many = (count: number) => Buffer.from(`[${'1,'.repeat(count - 1)}1]`)
    expect(() => strictJson(many(3_000_002))).toThrow(refused('PAYLOAD_TOO_LARGE'))
    expect(strictJson(many(2_000_000))).toHaveLength(2_000_000)
  })
})
