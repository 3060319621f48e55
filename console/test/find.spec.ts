import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { ADVERTISER, approve, gridRead, openGrid, order, orderIdOf } from './support/buying.ts'
import { call, tokenOf, weekAfter } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { asBuyer } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A seller that takes holds here. */
const HOLDER = 'ktvl-10'

test('a buyer goes from an empty basket to a placed order of five lines by keys alone', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await page.goto('/console/orders')
  await expect(page.getByRole('heading', { name: /^Orders/, level: 1 })).toBeVisible()
  const begin = Date.now()
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await gridRead(page)
  await page.keyboard.press('Enter')
  for (const units of ['4', '6', '8', '4', '2']) {
    await page.keyboard.press(units)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Control+Enter')
  await expect(page.getByLabel('Advertiser')).toBeFocused()
  await page.keyboard.type(ADVERTISER)
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/orders\/ord_/)
  await expect(page.getByText('In review').first()).toBeVisible()
  test.info().annotations.push({ type: 'stopwatch', description: `${Date.now() - begin} ms to In review, 15 keys and the advertiser` })

  await approve(orderIdOf(page))
  await expect(page.getByText('Placed').first()).toBeVisible()
  await expect(page.getByText('Accepted')).toHaveCount(5)
  await page.goto('/console/basket')
  await expect(page.getByText('Every basket is empty')).toBeVisible()
})

test('a buyer holds units, attaches a file and orders with both', async ({ browser }) => {
  await call(tokenOf('seller', HOLDER), 'PUT', '/me/capabilities', { holds: true })
  const { page } = await asBuyer(browser)
  await openGrid(page, HOLDER)
  await page
    .getByLabel(/^Units of ktvl-early-news/)
    .nth(2)
    .fill('1')
  await page.getByRole('button', { name: 'Hold 1 line' }).click()
  const hold = page.getByRole('dialog').getByRole('button', { name: 'Hold 1 line' })
  await expect(hold).toBeEnabled()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await hold.click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: /^Basket for/ }).click()
  await expect(page.getByRole('button', { name: 'Release the hold of line 1' })).toBeVisible()
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach a PDF, XLSX or CSV' }).click(),
  ])
  await chooser.setFiles({ name: 'buysheet.csv', mimeType: 'text/csv', buffer: Buffer.from('network,week,units\nSummit,2027-W06,1\n') })
  await expect(page.getByText('buysheet.csv')).toBeVisible()
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  await order(page).click()
  await expect(page).toHaveURL(/\/orders\/ord_/)
  await expect(page.getByText('buysheet.csv, buysheet')).toBeVisible()
})

test('a buyer compares products of several sellers and asks one for avails', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await openGrid(page)
  await page.getByRole('button', { name: 'Remove smt-news-morning' }).click()
  await page.getByLabel('Seller', { exact: true }).selectOption('ktvl-10')
  await page.getByLabel('ktvl-early-news').check()
  await expect(page.getByRole('columnheader', { name: /ktvl-early-news/ })).toBeVisible()
  await expect(page.getByLabel('ktvl-late-news')).toBeDisabled()
  await page
    .getByRole('columnheader', { name: /ktvl-early-news/ })
    .getByRole('button', { name: 'ask' })
    .click()
  await page.getByLabel('Start').fill(weekAfter(25))
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Ask for avails' }).click()
  await expect(page.getByText(/has your question, /)).toBeVisible()
})

test('the first week is typed without leaving its field, which shows the week of the grid again when it loses the focus', async ({
  browser,
}) => {
  const { page } = await asBuyer(browser)
  await openGrid(page)
  const [field, week] = [page.getByLabel('From week'), weekAfter(5)]
  await field.fill('')
  await page.keyboard.type(week.toLowerCase())
  await expect(page).toHaveURL(new RegExp(`from=${week}`))
  await expect(page.getByRole('rowheader', { name: new RegExp(`^${week}`) })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: new RegExp(`^${weekAfter(4)}`) })).toHaveCount(0)
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(week.toLowerCase())
  await field.fill('2028-W99')
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue(week)
})

test('products say when they air, are narrowed by the part of the day, and the basket says what it comes to', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await page.goto(`/console/find?seller=${HOLDER}`)
  await gridRead(page)
  await expect(
    page
      .getByRole('columnheader')
      .filter({ hasText: /\d\d:\d\d-\d\d:\d\d/ })
      .first(),
  ).toBeVisible()
  const products = page.getByRole('list', { name: 'Products' }).getByRole('listitem')
  const all = await products.count()
  await page.getByRole('group', { name: 'Part of the day' }).getByRole('button').first().click()
  await polled(() => products.count()).toBeLessThan(all)
  await page.keyboard.press('Enter')
  await page
    .getByLabel(/^Units of ktvl-/)
    .first()
    .fill('2')
  await expect(page.getByRole('region', { name: 'Baskets' })).toContainText(/1 line · USD [\d,]+\.\d\d/)
  await page
    .getByLabel(/^Units of ktvl-/)
    .nth(1)
    .fill('3')
  await expect(page.getByRole('region', { name: 'Baskets' })).toContainText(/2 lines · USD/)
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
})
