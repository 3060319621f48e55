import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { OUR_COLUMNS } from '../src/screens/files/ourColumns.ts'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, freshName, SELLER, tokenOf } from './support/marketplace.ts'
import { asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const FILE = [
  'Run sheet of June',
  'Bill Code\tStart Date\tAired At\tLength\tStation\tType',
  'B1\t6/3/2030\t7:45 PM\t:30\tSPR\tCOM',
  'B1\t6/3/2030\t8:15 PM\t:30\tSPR\tPRG',
].join('\n')

test('a station says once which of its columns are ours, and changes it later', async ({ browser }) => {
  const name = freshName('log')
  const { page } = await asSeller(browser)
  await page.goto('/console/files')
  await page.getByRole('button', { name: /^Columns of your own/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns of your own' })
  await dialog.getByLabel('Its name').fill(name)
  await dialog.getByLabel(/^The header and the first rows/).fill(FILE)
  await expect(dialog.getByRole('columnheader', { name: 'Bill Code' })).toBeVisible()
  await dialog.getByLabel('What Bill Code is').selectOption('seller_order_id')
  await dialog.getByLabel('What Start Date is').selectOption('air_date')
  await dialog.getByLabel('What Aired At is').selectOption('air_time')
  await dialog.getByLabel('What Length is').selectOption('spot_length')
  await dialog.getByRole('button', { name: 'Save the mapping' }).click()
  await expect(dialog.getByRole('alert')).toContainText('INVALID_INPUT')
  await dialog.getByLabel('What Station is').selectOption('network')
  await dialog.getByRole('button', { name: 'A column that the files lack' }).click()
  await dialog.getByLabel('Column 1 of one text').selectOption('record_type')
  await dialog.getByLabel('Text 1 in every row').fill('as_run')
  await dialog.getByRole('button', { name: 'A word and what it means' }).click()
  await dialog.getByLabel('In column 1').selectOption('network')
  await dialog.getByLabel('Word 1').fill('SPR')
  await dialog.getByLabel('Means 1').fill('WSPR')
  await dialog.getByLabel('Leave out rows where').selectOption('Type')
  await dialog.getByLabel('is one of, by commas').fill('PRG, CRD')
  await dialog.getByLabel('Dates such as 6/3/2030').selectOption('mdy')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save the mapping' }).click()
  await expect(dialog).toBeHidden()
  expect(await call(tokenOf('seller', SELLER), 'GET', `/me/files/mappings/${name}`)).toMatchObject({
    type: 'delivery_posts',
    headers: ['Bill Code', 'Start Date', 'Aired At', 'Length', 'Station', 'Type'],
    columns: { seller_order_id: 'Bill Code', air_date: 'Start Date', air_time: 'Aired At', spot_length: 'Length', network: 'Station' },
    constants: { record_type: 'as_run' },
    values: { network: { SPR: 'WSPR' } },
    skip: [{ column: 'Type', in: ['PRG', 'CRD'] }],
    date_order: 'mdy',
  })
  await page.keyboard.press('m')
  await dialog.getByLabel('Mapping', { exact: true }).selectOption(name)
  await expect(dialog.getByLabel('What Station is')).toHaveValue('network')
  await dialog.getByRole('button', { name: 'Delete the mapping' }).click()
  const sure = page.getByRole('dialog', { name: 'Delete the mapping' })
  await expect(sure).toContainText('are refused until there is another mapping')
  await sure.getByRole('button', { name: 'Delete the mapping' }).click()
  await expect(dialog).toBeHidden()
})

test('the columns that it offers are those of the templates', () => {
  for (const [type, columns] of Object.entries(OUR_COLUMNS)) {
    const [header = ''] = readFileSync(new URL(`../../docs/templates/${type}.csv`, import.meta.url), 'utf8').split('\n')
    expect(columns).toEqual(header.trim().split(','))
  }
})
