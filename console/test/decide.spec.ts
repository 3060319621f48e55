import { expect, test } from '@playwright/test'
import { decide, orderInReview, orderOf } from './support/marketplace.ts'
import { orderRows, queueIsEmpty, queueOf, withoutFeed } from './support/orderList.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'

test('seller and buyer negotiate in two browsers: each sees what the other does, at once', async ({ browser }) => {
  const order = await orderInReview({ lines: 2 })
  const [{ page: seller }, { page: buyer }] = [await asSeller(browser), await asBuyer(browser)]
  await buyer.goto(`/console/orders/${order.order_id}`)
  await expect(buyer.getByText('In review').first()).toBeVisible()
  await seller.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(seller.getByRole('button', { name: /^Approve 2 lines: USD/ })).toBeVisible()

  await seller.keyboard.press('2')
  await expect(seller.getByRole('radio', { checked: true })).toBeFocused()
  await seller.keyboard.press('q')
  await expect(seller.getByLabel('USD a unit')).toBeFocused()
  await expect(seller.getByRole('button', { name: /^Counter 1 line, accept 1/ })).toBeDisabled()
  await seller.keyboard.type('555.5')
  await seller.keyboard.press('Control+Enter')
  await queueIsEmpty(seller)

  await expect(buyer.getByText('1 counter of the seller is open.')).toBeVisible()
  await expect(buyer.getByText('555.50').first()).toBeVisible()
  await buyer.keyboard.press('Control+Enter')
  await expect(buyer.getByRole('dialog', { name: 'Accept the counters' })).toContainText('USD 555.50')
  await seller.goto(`/console/orders/${order.order_id}`)
  await expect(seller.getByText('Negotiating').first()).toBeVisible()
  await buyer.getByRole('dialog').getByRole('button', { name: 'Accept the counters' }).click()

  await expect(buyer.getByText('Elena Ortiz accepted this')).toBeVisible()
  await expect(seller.getByText('Elena Ortiz accepted this')).toBeVisible()
  expect((await orderOf(order.order_id)).status).toBe('placed')
})

test('of two approvers the slower one sends nothing and reads who was faster', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await withoutFeed(page)
  const approve = await queueOf(page, order)
  await decide(order.order_id, { decision: 'reject' })
  await approve.click()
  await expect(page.getByRole('alert')).toContainText('Dana Whitfield rejected this')
  await expect(page.getByRole('alert')).toContainText('You meant: Approve 2 lines')
  expect((await orderOf(order.order_id)).status).toBe('rejected')
})

test('fewer units and a rejected line approve the rest', async ({ browser }) => {
  const order = await orderInReview({ lines: 3, units: 6 })
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  await page.getByLabel('Units accepted of line 1').fill('9')
  await expect(page.getByText('Line 1: accept 1 to 6 units, or reject the line.')).toBeVisible()
  await page.getByLabel('Units accepted of line 1').fill('5')
  await page.getByRole('group', { name: 'Line 3' }).getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('button', { name: /^Approve 2 of 3 lines/ }).click()
  await queueIsEmpty(page)
  const { status, line_items } = await orderOf(order.order_id)
  expect([status, line_items.map((line) => line.status)]).toEqual(['placed', ['accepted', 'accepted', 'rejected']])
})

test('an earlier state of an order is compared with the present one', async ({ browser }) => {
  const order = await orderInReview()
  await decide(order.order_id, { decision: 'approve' })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByRole('link', { name: 'Moved to in review' }).click()
  await expect(page.getByText('2 of 2 lines have changed since and are marked.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(page.getByText('Accepted')).toHaveCount(2)
})

test('a buyer cancels with a reason, which the seller reads', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByRole('button', { name: 'Cancel the order' }).click()
  await page.getByLabel('Reason').fill('The campaign has moved.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click()
  await expect(page.getByText('Elena Ortiz canceled this')).toBeVisible()
  const { page: seller } = await asSeller(browser)
  await seller.goto(`/console/orders/${order.order_id}`)
  await expect(seller.getByText('The campaign has moved.')).toBeVisible()
})

test('a buyer cancels an order of its book by keys', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders?q=${order.external_order_id}`)
  await expect(orderRows(page)).toHaveCount(1)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Cancel the order' })
  await dialog.getByLabel('Reason').fill('The campaign has moved.')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(orderRows(page)).toContainText('Canceled')
  expect((await orderOf(order.order_id)).status).toBe('canceled')
  await page.keyboard.press('c')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await expect(dialog).toBeHidden()
})
