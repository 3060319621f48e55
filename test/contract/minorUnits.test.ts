import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { isMoneyCode } from '../../src/contract/moneyCodes.ts'
import { decimalPlaces } from '../../src/contract/vocabulary/minorUnits.ts'

/** The rows `places: 'codes'` of the table of other decimal places in a file. */
async function rowsOf(path: string): Promise<string[][]> {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^ {4}(\d): '([A-Z ]+)',$/gm)].map(([, places = '', codes = '']) => [places, codes])
}

it('the console has the table of minor units of the service, which names currencies of ISO 4217', async () => {
  const rows = await rowsOf('src/contract/vocabulary/minorUnits.ts')
  expect(rows.map(([places]) => places)).toEqual(['0', '3', '4'])
  expect(await rowsOf('console/src/ui/minorUnits.ts')).toEqual(rows)
  for (const [places, codes = ''] of rows)
    for (const code of codes.split(' ')) expect([code, isMoneyCode(code), String(decimalPlaces(code))]).toEqual([code, true, places])
})

it.each([
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['AFN', 2],
  ['IQD', 3],
  ['XAU', 2],
])('%s has %d decimal places, whatever CLDR rounds it to', (currency, places) => expect(decimalPlaces(currency)).toBe(places))
