import { expect } from '@playwright/test'
import { accessFaults } from './support/accessFaults.ts'
import { orderInReview, orderOf } from './support/marketplace.ts'
import { queueIsEmpty, queueOf } from './support/orderList.ts'
import { asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('a counter takes another week at its published price by one click, and says what the API makes of it', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(page.getByText(/^Becomes/)).toContainText('Placed')
  await expect(page.getByRole('columnheader', { name: 'Card' })).toBeVisible()
  await page.getByRole('group', { name: 'Line 1' }).getByRole('button', { name: 'Counter' }).click()
  const weeks = page.getByRole('radiogroup', { name: 'Week offered for line 1' })
  await expect(weeks.getByText('as asked')).toBeVisible()
  await expect(weeks.getByText(/left$|^sold/).first()).toBeVisible()
  const other = weeks.locator('label').filter({ hasNotText: 'as asked' }).first()
  const week = (await other.locator('strong').textContent()) ?? ''
  await other.click()
  await expect(page.getByLabel('USD a unit')).toBeHidden()
  await expect(page.getByText(/^Becomes/)).toContainText('Negotiating')
  await page.getByRole('button', { name: /^Counter 1 line, accept 1/ }).click()
  await queueIsEmpty(page)
  const { status, line_items } = await orderOf(order.order_id)
  const counter = line_items.find(({ in_response_to }) => in_response_to !== undefined)
  expect([status, counter?.period.start.slice(5)]).toEqual(['negotiating', week])
})

test('another amount is a quote for this buyer, open for as long as the seller says', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await queueOf(page, order)
  await page.keyboard.press('2')
  await expect(page.getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.press('q')
  await expect(page.getByText('Publish a quote to this buyer')).toBeVisible()
  await expect(page.getByLabel('USD a unit')).toBeFocused()
  await page.keyboard.type('0')
  await expect(page.getByText('Line 1: a counter needs a price above 0.')).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await page.getByLabel('USD a unit').fill('401.25')
  await page.getByLabel('Open for').selectOption('4 hours')
  const before = Date.now()
  await page.keyboard.press('Control+Enter')
  await queueIsEmpty(page)
  const { line_items } = await orderOf(order.order_id)
  const rate = line_items.find(({ in_response_to }) => in_response_to !== undefined)?.rate
  expect(rate?.unit_cost).toBe(401.25)
  const openFor = Date.parse(rate?.quote_expires_at ?? '') - before
  expect(openFor).toBeGreaterThan(3.9 * 3_600_000)
  expect(openFor).toBeLessThan(4.1 * 3_600_000)
})

test('what the API would refuse is said before it is sent', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const refusal = {
    error_code: 'CREDIT_LIMIT',
    error_message: 'The order exceeds the credit of the agreement.',
    recoverable: true,
    details: {},
  }
  await page.route('**/decide?dry_run=true', (route) =>
    route.fulfill({ status: 422, json: refusal, headers: { 'X-Request-Id': 'req-of-the-dry-run' } }),
  )
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(page.getByRole('alert')).toContainText('The marketplace would refuse this')
  await expect(page.getByRole('alert')).toContainText('req-of-the-dry-run')
  await expect(page.getByRole('button', { name: /^Approve 2 lines/ })).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  expect((await orderOf(order.order_id)).status).toBe('seller_review')
})
