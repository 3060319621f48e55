import { expect, test } from '@playwright/test'
import { ADVERTISER, gridRead } from '../test/support/buying.ts'
import {
  askingSheets,
  BUYER,
  call,
  decide,
  documentOrder,
  freshName,
  orderInReview,
  orderOf,
  SELLER,
  tokenOf,
} from '../test/support/marketplace.ts'
import { asText, ownProducts, paste, RATE_HEADER, rateRows, weeks } from '../test/support/sheet.ts'
import { asBuyer, asOperator, asSeller } from '../test/support/signedIn.ts'
import { type Job, timed, write } from './timed.ts'

/** The everyday jobs of the three sides, each done as a person does it, counted and timed for docs/console.md. */
const jobs: Job[] = []

test.describe.configure({ mode: 'serial' })
test.afterAll(() => {
  if (jobs.length > 0) write(jobs)
  for (const { name, errors } of jobs) expect(errors, name).toEqual([])
})

const statusOf = async (orderId: string) => (await orderOf(orderId)).status

test('triage of 25 orders', async ({ browser }) => {
  const advertiser = freshName('triage')
  for (let made = 0; made < 25; made += 5) await Promise.all([0, 1, 2, 3, 4].map(() => orderInReview({ lines: 1, units: 1, advertiser })))
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  await expect(page.getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
  const job = await timed('Approve 25 orders together, after reading what that comes to', page, async ({ press }) => {
    await press('Control+a')
    const send = page.getByRole('button', { name: /^Approve 25 orders/ })
    await expect(page.getByText('All 25 can be decided like this.')).toBeVisible({ timeout: 60_000 })
    await expect(send).toBeEnabled()
    await press('Control+Enter')
    await expect(page.getByText('Nothing waits for you').or(page.getByText('No order matches'))).toBeVisible({ timeout: 60_000 })
  })
  jobs.push(job)
})

test('reject by keys', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(page.getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
  const job = await timed('Reject an order with a reason, by keys', page, async ({ press, type }) => {
    await press('r', 'e')
    await type('No avails left')
    await expect(page.getByRole('button', { name: /^Reject/ }).last()).toBeEnabled()
    await press('Control+Enter')
    await expect.poll(() => statusOf(order.order_id)).toBe('rejected')
  })
  jobs.push(job)
})

test('counter', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(page.getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
  const job = await timed('Counter a line with another week at its published price', page, async ({ press, click }) => {
    await press('2')
    const other = page
      .getByRole('radiogroup', { name: 'Week offered for line 1' })
      .locator('label')
      .filter({ hasNotText: 'as asked' })
      .first()
    await click(other)
    await expect(page.getByRole('button', { name: /^Counter/ }).last()).toBeEnabled()
    await press('Control+Enter')
    await expect.poll(() => statusOf(order.order_id)).toBe('negotiating')
  })
  jobs.push(job)
})

test('a document with open points', async ({ browser }) => {
  const { bonus, product } = await askingSheets(freshName('Evening Movie'))
  const order = await documentOrder({ document: bonus })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/document`)
  await expect(page.getByRole('region', { name: 'Questions' }).getByRole('group')).toHaveCount(2)
  const job = await timed('Confirm a document with two questions', page, async ({ fill, press, click }) => {
    await fill(page.getByLabel(/^Another product for/), product)
    await page.locator('#main').focus()
    await press('1')
    await expect(page.getByText('Every line can be ordered.')).toBeVisible()
    await press('Control+Enter')
    await click(page.getByRole('dialog').getByRole('button', { name: 'Confirm the order' }))
    await expect.poll(() => statusOf(order.order_id)).toBe('seller_review')
  })
  jobs.push(job)
})

test('an order of five lines', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await page.goto('/console/orders')
  await expect(page.getByRole('heading', { name: /^Orders/, level: 1 })).toBeVisible()
  const job = await timed('Order five lines from an empty basket, by keys', page, async ({ press, type }) => {
    await press('g', 'f')
    await gridRead(page)
    await press('Enter')
    for (const units of ['4', '6', '8', '4', '2']) await press(units, 'ArrowDown')
    await press('Control+Enter')
    await expect(page.getByLabel('Advertiser')).toBeFocused()
    await type(ADVERTISER)
    await expect(page.getByText(/^Total USD/)).toBeVisible()
    await press('Control+Enter')
    await expect(page).toHaveURL(/\/orders\/ord_/)
  })
  jobs.push(job)
})

test('500 rates with 7 faults', async ({ browser }) => {
  const product = freshName('job')
  await ownProducts(SELLER, [product])
  const { page } = await asSeller(browser)
  await page.goto('/console/publish/rates')
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  const rows = rateRows([product], weeks(2028, 50), [5, 10, 15, 20, 25, 30, 35, 40, 45, 50], (at) => (at % 70 === 3 ? '39x' : '100.00'))
  const job = await timed('Paste 500 rates, go through their faults', page, async ({ press }) => {
    await paste(page, asText([RATE_HEADER, ...rows]))
    await expect(page.getByText(/^\d+ faults$/)).toBeVisible()
    await press('n', 'n', 'n', 'n', 'n', 'n', 'n')
  })
  jobs.push(job)
})

test('a grant', async ({ browser }) => {
  const { page } = await asSeller(browser)
  await page.goto('/console/relations')
  const job = await timed('Grant an agreement, after reading what its buyer will see', page, async ({ click, fill }) => {
    await click(page.getByRole('button', { name: 'Grant an agreement' }))
    const dialog = page.getByRole('dialog', { name: 'Grant an agreement' })
    await fill(dialog.getByLabel('Id', { exact: true }), freshName('agr'))
    await fill(dialog.getByLabel('Buyer', { exact: true }), BUYER)
    await fill(dialog.getByLabel('In force to'), '2029-12-30')
    await expect(dialog.getByRole('region', { name: 'What the buyer will see' })).toBeVisible()
    await click(dialog.getByRole('button', { name: 'Grant the agreement' }))
    await expect(dialog).toBeHidden()
  })
  jobs.push(job)
})

test('a makegood', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  await decide(order.order_id, { decision: 'approve' })
  const path = `/me/orders/${order.order_id}`
  const { line_items } = await call<{
    line_items: { unit_id: string; product_id: string; spot_length: number; allocation: { date: string }[] }[]
  }>(tokenOf('seller', SELLER), 'GET', path)
  const [line] = line_items
  await call(tokenOf('seller', SELLER), 'POST', `${path}/makegoods`, {
    for: [{ unit_id: line?.unit_id, date: line?.allocation[0]?.date, units: 1, reason_code: 'preempted' }],
    offers: [{ product_id: line?.product_id, date: line?.allocation.at(-1)?.date, units: 1, spot_length: line?.spot_length }],
  })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/makegoods`)
  await expect(page.getByRole('region', { name: 'Makegood, offered' })).toBeVisible()
  const job = await timed('Accept a makegood', page, async ({ press, click }) => {
    await press('a')
    await click(page.getByRole('dialog').getByRole('button', { name: 'Accept' }))
    await expect(page.getByRole('region', { name: 'Makegood, accepted' })).toBeVisible()
  })
  jobs.push(job)
})

test('an order that operators look into', async ({ browser }) => {
  const { order_id } = await orderInReview({ lines: 1 })
  const { page } = await asOperator(browser)
  await page.goto('/console/ops')
  await expect(page.getByText('Order mail')).toBeVisible()
  const job = await timed('Find an order as an operator, read its timeline, try it again', page, async ({ press, type, click }) => {
    await press('/')
    await type(order_id)
    await click(page.getByRole('link', { name: 'Timeline' }))
    await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible()
    await press('Control+Enter')
    await expect(page.getByRole('status').filter({ hasText: /looked at within moments|asked for already/ })).toBeVisible()
  })
  jobs.push(job)
})
