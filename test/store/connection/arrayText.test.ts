import { expect, it } from '@jest/globals'
import { jsonLines, plainArray, textArray } from '../../../src/store/connection/arrayText.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const read = async (text: string, type: string) => (await db.pool.query(`select $1::${type}[] as value`, [text])).rows[0].value

it('gives Postgres the texts that it was given', async () => {
  const texts = [
    'plain',
    '',
    null,
    'NULL',
    'a, b',
    'two\nlines',
    '"quoted"',
    'back\\slash',
    '{braces}',
    ' spaces ',
    'tab\tand \u001f',
    'größer ☃ 𝄞',
  ]
  expect(await read(textArray(texts), 'text')).toEqual(texts)
  expect(await read(textArray([...texts, ...texts]), 'text')).toEqual([...texts, ...texts])
})

it('gives Postgres numbers and dates', async () => {
  expect(await read(plainArray([1, -2, 0]), 'integer')).toEqual([1, -2, 0])
  expect(await read(plainArray(['2027-02-28', '2026-12-31']), 'text')).toEqual(['2027-02-28', '2026-12-31'])
})

it('gives Postgres lists without anything in them', async () => {
  expect(await read(textArray([]), 'text')).toEqual([])
  expect(await read(plainArray([]), 'integer')).toEqual([])
})

it('gives Postgres a line for each JSON text, those that have line ends themselves too', async () => {
  const values = [[], [{ 'a"b\\': 'two\nlines' }], { at: 1 }]
  const lines = jsonLines(values.map((value, indent) => JSON.stringify(value, null, indent)))
  const { rows } = await db.pool.query('select line::json from unnest(string_to_array($1, chr(10))) as line', [lines])
  expect(rows.map(({ line }) => line)).toEqual(values)
})
