import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { takesJson } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { faultsOf } from '../../src/contract/errorEnvelope.ts'

/** Subject, verb, what is allowed and, where it was short enough to repeat, what was sent. */
const SENTENCE =
  /^(The body|[\w.-]+) (must |is required|is not known here|is not taken here|is not valid: |is only for |is allowed |are allowed |is set by |is not part of )/

const messagesOf = (schema: z.ZodType, sent: unknown) =>
  faultsOf(schema, schema.safeParse(sent).error?.issues ?? [], sent).map(({ message }) => message)

describe('a fault of a schema', () => {
  const of = (schema: z.ZodType, a: unknown) => messagesOf(z.object({ a: schema }), a === undefined ? {} : { a })[0]

  it.each<[string, z.ZodType, unknown, string]>([
    ['an absent member', z.string(), undefined, 'a is required'],
    ['an empty text', z.string().min(1), '', 'a is required'],
    ['another type', z.string(), 7, 'a must be a string; 7 was sent'],
    ['null', z.int(), null, 'a must be a number; null was sent'],
    ['a list for an object', z.object({}), [], 'a must be an object; a list was sent'],
    ['an object for a list', z.array(z.int()), {}, 'a must be a list; an object was sent'],
    ['a fraction', z.int(), 1.5, 'a must be a whole number; 1.5 was sent'],
    ['a number that is too small', z.number().positive(), 0, 'a must be greater than 0; 0 was sent'],
    ['a number that is too large', z.number().max(10), 11, 'a must be at most 10; 11 was sent'],
    ['a text that is too long', z.string().max(3), 'abcd', 'a must have at most 3 characters; it has 4 characters'],
    ['a list that is too short', z.array(z.int()).min(1), [], 'a must have at least 1 entry; it has 0 entries'],
    ['a word of no list', z.enum(['x', 'y']), 'z', 'a must be one of x, y; "z" was sent'],
    ['another word', z.literal('x'), 'z', 'a must be x; "z" was sent'],
    ['a long text', z.literal('x'), 'z'.repeat(99), `a must be x; "${'z'.repeat(40)}…" was sent`],
    ['no type of a union', z.union([z.string(), z.array(z.string())]), 7, 'a must be a string or a list; 7 was sent'],
    ['a list for no type of a union', z.union([z.string(), z.object({})]), [], 'a must be a string or an object; a list was sent'],
    ['entries of a list against each other', z.array(z.int()).refine(() => false, 'must be in order'), [2, 1], 'a must be in order'],
    ['members of an object against each other', z.object({}).refine(() => false, 'must match'), {}, 'a must match'],
    ['the nearest form of a union', z.union([z.int(), z.object({ b: z.int() })]), { b: 'x' }, 'a is not valid: b must be a number'],
    ['no kind of a union', z.discriminatedUnion('k', [z.object({ k: z.literal('x') })]), { k: 'z' }, 'a.k must be x; "z" was sent'],
    ['no date', z.iso.date(), '30.02.2030', 'a must be a date as YYYY-MM-DD; "30.02.2030" was sent'],
    ...['2027-02-30', '2027-02-29', '2027-13-01', '2027-04-31', '2027-01-00'].map((day): [string, z.ZodType, unknown, string] => [
      `the date ${day}`,
      z.iso.date(),
      day,
      `a must be a date as YYYY-MM-DD, and this day does not exist; "${day}" was sent`,
    ]),
    [
      'the time of no day',
      z.iso.datetime(),
      '2027-02-30T00:00:00Z',
      'a must be a time in UTC as YYYY-MM-DDThh:mm:ssZ, and this day does not exist; "2027-02-30T00:00:00Z" was sent',
    ],
    [
      'a time in another form',
      z.iso.datetime(),
      '2027-02-28T00:00',
      'a must be a time in UTC as YYYY-MM-DDThh:mm:ssZ; "2027-02-28T00:00" was sent',
    ],
    ['an unknown member', z.strictObject({}), { b: 1 }, 'a.b is not known here'],
    ['a mistyped member', z.strictObject({ units: z.int().optional() }), { unit: 1 }, 'a.unit is not known here; the nearest is units'],
  ])('of %s reads as a sentence', (_, schema, sent, message) => {
    expect(of(schema, sent)).toBe(message)
  })
})

describe('every endpoint', () => {
  const wrong = [null, 7, 'x', '', true, [], {}, [7], [{}], -1, 1.5, 1e300, 'x'.repeat(5_000), { x: 7 }]

  it.each(ENDPOINTS.filter(takesJson).map((row) => [row.name, row.shownBody ?? row.body] as const))(
    'says in sentences what is wrong with a body of %s',
    (_, body) => {
      const members = Object.keys((body as z.ZodObject).shape ?? {})
      const bodies = [...wrong, ...wrong.map((value) => Object.fromEntries(members.map((name) => [name, value])))]
      const said = bodies.flatMap((sent) => messagesOf(body, sent))
      expect(said.length).toBeGreaterThan(0)
      expect(said.filter((message) => !SENTENCE.test(message))).toEqual([])
    },
  )

  it.each(ENDPOINTS.map((row) => [row.name, row.query] as const))('says in sentences what is wrong with a query of %s', (_, query) => {
    const names = [...Object.keys(query.shape), 'unheard_of']
    const said = ['', 'x', '-1', '99999999999', ['a', 'b']].flatMap((value) =>
      messagesOf(query, Object.fromEntries(names.map((name) => [name, value]))),
    )
    expect(said.length).toBeGreaterThan(0)
    expect(said.filter((message) => !SENTENCE.test(message))).toEqual([])
  })
})
