import { describe, expect, it } from '@jest/globals'
import { statement } from '../../../src/store/connection/statement.ts'

const textOf = (parameters: readonly string[], text: string) => statement('s', parameters, text).text

describe('statement', () => {
  it('numbers parameters as they are declared, and one that is used twice once', () => {
    const read = statement('read', ['seller', 'after'], 'select 1 where a > :after and b = :seller and c <> :after')
    expect(read.text).toBe('select 1 where a > $2 and b = $1 and c <> $2')
    expect(read.bind({ after: 'x', seller: 'y' })).toEqual({ name: 'read', text: read.text, values: ['y', 'x'] })
  })

  it('leaves casts alone, beside a parameter too', () => {
    expect(textOf(['ids', 'id'], 'select :ids::text[], x::int, :id::text::xid8')).toBe('select $1::text[], x::int, $2::text::xid8')
  })

  it('takes the longest name', () => {
    expect(textOf(['id', 'id_2'], 'select :id_2, :id')).toBe('select $2, $1')
  })

  it.each([
    ['a literal', "select 'a:id', 'it''s :id', :id", "select 'a:id', 'it''s :id', $1"],
    ['a quoted name', 'select ":id", :id', 'select ":id", $1'],
    ['a comment', 'select :id -- :id', 'select $1 -- :id'],
  ])('leaves %s alone', (_, text, resolved) => {
    expect(textOf(['id'], text)).toBe(resolved)
  })

  it.each([
    ['uses a name that it does not declare', ['id'], 'select :id, :other', 'uses :other, which it does not declare'],
    ['declares a name that it does not use', ['id', 'other'], 'select :id', 'declares other, which it does not use'],
    ['declares a name twice', ['id', 'id'], 'select :id', 'declares a parameter twice'],
    ['numbers a parameter itself', ['id'], 'select :id, $2', 'uses $2, which a statement with named parameters may not contain'],
    [
      'has a literal with escapes',
      ['id'],
      String.raw`select e'\':id', :id`,
      "uses e', which a statement with named parameters may not contain",
    ],
    ['has a dollar quote', ['id'], 'select $$ :id $$', 'uses $$, which a statement with named parameters may not contain'],
    ['has a comment of several lines', ['id'], 'select /* :id */', 'uses /*, which a statement with named parameters may not contain'],
  ])('does not load when it %s', (_, parameters, text, message) => {
    expect(() => statement('s', parameters, text)).toThrow(`statement s ${message}`)
  })

  it('does not compile with a value too few or too many', () => {
    const read = statement('read', ['seller'], 'select :seller')
    // @ts-expect-error: `seller` is missing
    read.bind({})
    // @ts-expect-error: there is no `buyer`
    read.bind({ seller: 'x', buyer: 'y' })
  })
})
