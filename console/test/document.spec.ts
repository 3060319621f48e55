import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { askingSheets, call, documentOrder, freshName, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const CORPUS = new URL('../../test/corpus/documents/', import.meta.url)
const confirmButton = (page: Page) => page.getByRole('button', { name: /^Confirm \d+ lines?/ })
const rateOf = (page: Page) => page.getByRole('combobox', { name: /^Line \d+, rate/ }).first()

async function confirmed(page: Page, orderId: string): Promise<void> {
  await confirmButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm the order' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await polled(async () => (await orderOf(orderId)).status).toBe('seller_review')
}

test('a buyer sees the document beside what was read of it, and resolves what cannot be ordered', async ({ browser }) => {
  const order = await documentOrder()
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByRole('link', { name: 'Check the document' }).click()
  await expect(page.getByText('The published price differs.')).toBeVisible()
  await expect(page.getByText(/The document says .* in D\d+/)).toBeVisible()
  const source = page.getByRole('region', { name: 'The document', exact: true })
  await expect(source.getByRole('columnheader', { name: 'Program' }).or(source.getByRole('cell', { name: 'Program' }))).toBeVisible()
  await page.getByRole('button', { name: 'Line 1 in the document' }).click()
  expect((await source.locator('[data-marked]').allTextContents()).length).toBeGreaterThan(2)
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await expect(confirmButton(page)).toBeDisabled()
  await rateOf(page).selectOption({ index: 1 })
  await expect(page.getByText('Every line can be ordered. Gross USD')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Every line can be ordered.')).toBeVisible()
  await confirmButton(page).click()
  await expect(page.getByRole('dialog')).toContainText(/Orders 2 lines, gross USD [\d,.]+/)
  await page.keyboard.press('Escape')
  await confirmed(page, order.order_id)
})

test('a buysheet with two questions is confirmed with two answers, which are proposed for the next one', async ({ browser }) => {
  const { bonus, product } = await askingSheets(freshName('Evening Movie'))
  const order = await documentOrder({ document: bonus })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/document`)
  const questions = page.getByRole('region', { name: 'Questions' })
  await expect(questions.getByRole('group')).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: 'to settle' })).toContainText('2 points to settle')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await questions.getByLabel(/^Another product for/).fill(product)
  await page.locator('#main').focus()
  await page.keyboard.press('1')
  await expect(questions.getByRole('radio', { name: 'They are left out.' })).toBeChecked()
  await expect(page.getByText('left out', { exact: true })).toBeVisible()
  await expect(page.getByText('Every line can be ordered.')).toBeVisible()
  await page.getByLabel('Propose these answers for the next document').check()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toContainText('Leaves out line 2')
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm the order' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await polled(async () => (await orderOf(order.order_id)).line_items.length).toBe(1)

  const next = await documentOrder({ document: bonus })
  await page.goto(`/console/orders/${next.order_id}/document`)
  await page.getByRole('button', { name: 'Answer as last time: 2 questions' }).click()
  await expect(questions.getByRole('radio', { name: /as last time/, checked: true })).toHaveCount(2)
  await expect(page.getByText('Every line can be ordered.')).toBeVisible()
})

test('which of two options is ordered is said by a key, and the lines of the other are left out', async ({ browser }) => {
  const order = await documentOrder({ document: (await askingSheets('')).options })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/document`)
  await expect(page.getByRole('region', { name: 'Questions' }).getByRole('group')).toHaveCount(1)
  await page.locator('#main').focus()
  await page.keyboard.press('2')
  await expect(page.getByText('left out', { exact: true })).toHaveCount(2)
  await expect(page.getByText('Every line can be ordered.')).toBeVisible()
  await confirmed(page, order.order_id)
  expect((await orderOf(order.order_id)).line_items.length).toBe(2)
})

test('a line is left out with a note, which its seller reads', async ({ browser }) => {
  const order = await documentOrder()
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/document`)
  await page.getByLabel('Leave out line 2').check()
  await page.getByLabel('Note for the seller on line 2').fill('Not at this price')
  await page
    .getByRole('checkbox', { name: /^Order although it does not tie/ })
    .first()
    .check()
  await expect(page.getByText('Every line can be ordered.')).toBeVisible()
  await confirmed(page, order.order_id)
  const { events } = await call<{ events: { decision_record?: { omitted?: object[] } }[] }>(
    tokenOf('seller', SELLER),
    'GET',
    `/events?order=${order.order_id}`,
  )
  expect(events.flatMap(({ decision_record }) => decision_record?.omitted ?? [])).toMatchObject([{ line: 2, note: 'Not at this price' }])
})

test('a total that does not tie is acknowledged before the document is confirmed', async ({ browser }) => {
  const order = await documentOrder({ total: 5 })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/document`)
  await expect(page.getByRole('heading', { name: 'Totals of the document: not all tie' })).toBeVisible()
  await rateOf(page).selectOption({ index: 1 })
  await expect(page.getByRole('status').filter({ hasText: 'the units at E5, which does not tie' })).toBeVisible()
  await expect(confirmButton(page)).toBeDisabled()
  await page.getByRole('checkbox', { name: /units at E5$/ }).check()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await confirmed(page, order.order_id)
})

test('a price that changes while a document is read offers those that are published now', async ({ browser }) => {
  const order = await documentOrder()
  const { page } = await asBuyer(browser)
  let isGone = true
  await page.route(/\/confirm\?dry_run=true$/, async (route) => {
    if (!isGone) return route.continue()
    const published = [{ locked_rate_id: 'lr_new', gross_rate_unit: 77, currency: 'USD', spot_length: 30 }]
    const unresolved = [{ line: 1, field: 'rate', read: '76', at: 'D3', message: 'The price can no longer be booked.', published }]
    const body = {
      error_code: 'INVALID_INPUT',
      error_message: 'One value is unresolved.',
      recoverable: 'correctable',
      details: { unresolved },
    }
    await route.fulfill({ status: 422, json: body })
  })
  await page.goto(`/console/orders/${order.order_id}/document`)
  await rateOf(page).selectOption({ index: 1 })
  await expect(page.getByText('The price can no longer be booked.')).toBeVisible()
  const first = page.getByRole('combobox', { name: 'Line 1, rate', exact: true })
  await expect(first.getByRole('option', { name: /USD 77/ })).toBeAttached()
  await expect(confirmButton(page)).toBeDisabled()
  isGone = false
  await page.getByLabel('Leave out line 1').check()
  await expect(page.getByText('The price can no longer be booked.')).toBeHidden()
})

/** Documents as agencies send them, and what the screen has of each. */
const REAL = [
  { name: 'f03a-spots-per-week.pdf', shows: 'Page 1' },
  { name: 'f04a-daypart-program.pdf', shows: 'Page 1' },
  { name: 'f08a-day-grid.pdf', shows: 'Page 1' },
  { name: 'f10a-two-options.pdf', shows: 'Page 1', asks: /option/i },
  { name: '11-two-options.xlsx', asks: /option/i },
  { name: '03-two-regimes.csv', asks: /year/i },
] as const

for (const { name, ...has } of REAL)
  test(`${name} is shown beside its lines, and no point is a dead end`, async ({ browser }) => {
    const document = new Uint8Array(readFileSync(new URL(name, CORPUS)))
    const order = await documentOrder({ document, format: name.split('.').pop() as 'csv' })
    const { page } = await asBuyer(browser)
    await page.goto(`/console/orders/${order.order_id}/document`)
    const source = page.getByRole('region', { name: 'The document', exact: true })
    if ('shows' in has) await expect(source.getByRole('figure', { name: has.shows, exact: true })).toBeVisible()
    else await expect(source.getByRole('table').first()).toBeVisible()
    if ('asks' in has) await expect(page.getByRole('region', { name: 'Questions' })).toContainText(has.asks)
    await expect(page.getByRole('status').filter({ hasText: 'to settle' })).toBeVisible()
    await page.keyboard.press('n')
    const settled = page.locator('input:focus, select:focus, button:focus')
    await expect(settled).toBeVisible()
    await expect(page.getByText('send another document')).toHaveCount(0)
  })

test('a seller reads what was read of a document, and answers nothing', async ({ browser }) => {
  const order = await documentOrder()
  const { page } = await asSeller(browser)
  await page.goto(`/console/orders/${order.order_id}/document`)
  await expect(page.getByText('The published price differs.')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})
