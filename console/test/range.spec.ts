import { expect, type Page, test } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { asText, copied, paste, RATE_HEADER, rateRows, weeks } from './support/sheet.ts'
import { signedIn } from './support/signedIn.ts'

/** A seller of which no other spec edits rates. */
const SELLER = 'ktvl-10'

const grid = (page: Page) => page.getByRole('grid', { name: 'Rates to publish' })
const cell = (page: Page, row: number, column: number) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: String(row), exact: true }) })
    .getByRole('gridcell')
    .nth(column)
const [PRODUCT, WEEK, LENGTH, RATE] = [0, 1, 2, 3]
const number = (page: Page, row: number) => grid(page).getByRole('rowheader', { name: String(row), exact: true })

/** A sheet of six weeks of one product, with the focus on its first cell. */
async function openSheet(page: Page): Promise<void> {
  await page.goto('/console/publish/rates')
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  await paste(page, asText([RATE_HEADER, ...rateRows(['news'], weeks(2028, 6), [30], (at) => `${100 + at}`)]))
  await expect(grid(page)).toBeFocused()
  await expect(cell(page, 6, RATE)).toHaveText(/^150/)
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

test('cells are selected by Shift and arrows, copied, cleared and brought back', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await openSheet(page)
  await press(page, 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown')
  await expect(page.getByText('6 cells selected: 3 rows, 2 columns')).toBeVisible()
  await expect(cell(page, 3, LENGTH)).toHaveAttribute('aria-selected', 'true')
  await expect(cell(page, 3, RATE)).toHaveAttribute('aria-selected', 'false')
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', (await cell(page, 3, LENGTH).getAttribute('id')) ?? 'none')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  expect(await copied(page)).toBe('2028-W01\t30\n2028-W02\t30\n2028-W03\t30')
  await press(page, 'Delete')
  await expect(cell(page, 1, WEEK)).toHaveText(/^!?[^0-9]*$/)
  await expect(cell(page, 3, LENGTH)).not.toContainText('30')
  await expect(cell(page, 4, LENGTH)).toHaveText(/^30/)
  await press(page, 'Control+z')
  await expect(cell(page, 3, LENGTH)).toHaveText(/^30/)
  await expect(cell(page, 1, WEEK)).toHaveText(/^2028-W01/)
  await press(page, 'Escape')
  await expect(page.getByText(/cells selected/)).toBeHidden()
  await expect(grid(page)).toBeFocused()
  await press(page, 'Escape')
  await expect(grid(page)).not.toBeFocused()
})

test('a paste fills what is selected: one cell all of it, some cells as often as they fit', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await openSheet(page)
  await cell(page, 1, RATE).click()
  await press(page, 'Control+Shift+ArrowDown')
  await expect(page.getByText('6 cells selected: 6 rows, 1 column')).toBeVisible()
  await paste(page, '700')
  for (const row of [1, 6]) await expect(cell(page, row, RATE)).toHaveText(/^700/)
  await paste(page, '1\n2')
  for (const [row, rate] of [
    [1, 1],
    [2, 2],
    [5, 1],
    [6, 2],
  ] as const)
    await expect(cell(page, row, RATE)).toHaveText(new RegExp(`^${rate}(\\D|$)`))
  await cell(page, 2, LENGTH).click()
  await paste(page, '15\t900\n10\t950')
  await expect(page.getByText('4 cells selected: 2 rows, 2 columns')).toBeVisible()
  await expect(cell(page, 3, LENGTH)).toHaveText(/^10/)
  await expect(cell(page, 3, RATE)).toHaveText(/^950/)
  await expect(cell(page, 4, LENGTH)).toHaveText(/^30/)
  expect(await copied(page)).toBe('15\t900\n10\t950')
  await press(page, 'Control+z', 'Control+z', 'Control+z')
  await expect(cell(page, 6, RATE)).toHaveText(/^150/)
})

test('the mouse selects cells and rows; a filter keeps what it hides; selected rows are removed together', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await openSheet(page)
  await cell(page, 2, LENGTH).click()
  await cell(page, 4, RATE).click({ modifiers: ['Shift'] })
  await expect(page.getByText('6 cells selected: 3 rows, 2 columns')).toBeVisible()
  await cell(page, 1, WEEK).hover()
  await page.mouse.down()
  await cell(page, 2, RATE).hover()
  await page.mouse.up()
  await expect(page.getByText('6 cells selected: 2 rows, 3 columns')).toBeVisible()
  await page.getByLabel('Filter').fill('150')
  await expect(cell(page, 5, RATE)).toBeHidden()
  await page.getByLabel('Filter').fill('1')
  await cell(page, 2, RATE).click()
  await page.getByLabel('Filter').fill('W05')
  await expect(cell(page, 4, RATE)).toBeHidden()
  await cell(page, 5, RATE).click()
  await press(page, 'Control+a', 'Delete')
  await page.getByLabel('Filter').fill('')
  await expect(cell(page, 4, RATE)).toHaveText(/^130/)
  await expect(cell(page, 5, RATE)).not.toContainText('140')
  await grid(page).getByRole('rowheader', { name: '2', exact: true }).click()
  await grid(page)
    .getByRole('rowheader', { name: '4', exact: true })
    .click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Remove 3 rows' }).click()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '4')
  await expect(cell(page, 1, WEEK)).toHaveText(/^2028-W01/)
  await expect(cell(page, 3, WEEK)).toHaveText(/^2028-W06/)
})

test('a click on the number of another row keeps what is being typed in its cell', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await openSheet(page)
  await cell(page, 1, RATE).click()
  await page.keyboard.type('999')
  await number(page, 3).click()
  await expect(page.getByText(/cells selected: 1 row,/)).toBeVisible()
  await expect(cell(page, 1, RATE)).toHaveText(/^999/)
  await expect(cell(page, 3, PRODUCT)).toHaveText(/^news/)
  await expect(grid(page).getByRole('textbox')).toHaveCount(0)
  await number(page, 5).click({ button: 'right' })
  await expect(cell(page, 3, PRODUCT)).toHaveAttribute('aria-selected', 'true')
  await expect(cell(page, 5, PRODUCT)).toHaveAttribute('aria-selected', 'false')
})

test('a drag selects only what it was begun on: cells from a cell, rows from a number, nothing from elsewhere', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await openSheet(page)
  await number(page, 2).hover()
  await page.mouse.down()
  await cell(page, 3, WEEK).hover()
  await page.mouse.up()
  await expect(page.getByText(/cells selected: 2 rows,/)).toBeVisible()
  await expect(cell(page, 3, RATE)).toHaveAttribute('aria-selected', 'true')
  await cell(page, 1, RATE).click()
  await expect(page.getByText(/cells selected/)).toBeHidden()
  await page.getByRole('columnheader', { name: 'Row', exact: true }).hover()
  await page.mouse.down()
  await cell(page, 3, WEEK).hover()
  await page.mouse.up()
  await expect(page.getByText(/cells selected/)).toBeHidden()
  await cell(page, 2, RATE).dblclick()
  const input = grid(page).getByRole('textbox')
  await input.fill('777')
  await input.hover()
  await page.mouse.down()
  await cell(page, 3, RATE).hover()
  await cell(page, 4, RATE).hover()
  await page.mouse.up()
  await expect(input).toHaveValue('777')
  await expect(page.getByText(/cells selected/)).toBeHidden()
  await press(page, 'Enter')
  await expect(cell(page, 2, RATE)).toHaveText(/^777/)
})
