import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, decide, orderInReview, orderOf, proposalOrder, SELLER, tokenOf } from './support/marketplace.ts'
import { orderRows, queueOf, withoutFeed } from './support/orderList.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('409: what was meant is shown beside what others have done', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await withoutFeed(page)
  await queueOf(page, order)
  await page.getByRole('group', { name: 'Line 2' }).getByRole('button', { name: 'Reject' }).click()
  await decide(order.order_id, { decision: 'approve' })
  await page.getByRole('button', { name: /^Approve 1 of 2 lines/ }).click()
  const note = page.getByRole('alert').filter({ hasText: 'You meant: Approve 1 of 2 lines' })
  await expect(note).toContainText(/Dana Whitfield approved this \d+ s ago/)
  await expect(note.getByRole('row').nth(2)).toContainText('reject')
  await expect(note.getByRole('row').nth(2)).toContainText('Accepted')
  await expect(note.getByRole('link', { name: 'Open the order' })).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
})

test('409: who was faster is said once, also while the queue still shows the order', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await withoutFeed(page)
  // The list is as it was before somebody decided, however often it is read.
  let list: Promise<string> | undefined
  await page.route(/\/v1\/me\/orders\?/, async (route) => {
    list ??= route.fetch().then(async (reply) => {
      const read = (await reply.json()) as { orders: { order_id: string }[] }
      return JSON.stringify({ ...read, orders: read.orders.filter(({ order_id }) => order_id === order.order_id), next_cursor: null })
    })
    return route.fulfill({ contentType: 'application/json', body: await list })
  })
  const approve = await queueOf(page, order)
  await decide(order.order_id, { decision: 'approve' })
  await approve.click()
  const note = page.getByRole('alert').filter({ hasText: 'Dana Whitfield approved this' })
  await expect(note.first()).toContainText('The order is now placed')
  await expect(orderRows(page)).toHaveCount(1)
  await expect(note).toHaveCount(1)
})

test('a stale decision: an order that has changed since the choosing began is not decided before that has been read', async ({
  browser,
}) => {
  const order = await orderInReview({ lines: 1 })
  const ask = (await orderOf(order.order_id)).line_items[0]
  const { page } = await asSeller(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByRole('group', { name: 'Line 1' }).getByRole('button', { name: 'Reject' }).click()
  const reject = page.getByRole('button', { name: /^Reject 1 line/ })
  await expect(reject).toBeEnabled()
  await decide(order.order_id, {
    decision: 'counter',
    units: [{ unit_id: ask?.unit_id, action: 'counter', counter: { week: ask?.period.start, unit_cost: 301 } }],
  })
  const note = page.getByText('The order has changed since you began')
  await expect(note).toBeVisible()
  await expect(reject).toBeDisabled()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue with the order as it is now' }).click()
  await expect(note).toBeHidden()
})

test('a stale quote: the new one is shown beside the old, and nothing is accepted before that has been read', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  const ask = (await orderOf(order.order_id)).line_items[0]
  const counter = (unit_id: string, unit_cost: number) =>
    decide(order.order_id, {
      decision: 'counter',
      units: [{ unit_id, action: 'counter', counter: { week: ask?.period.start, unit_cost } }],
    })
  await counter(ask?.unit_id ?? '', 301)
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByRole('button', { name: /^Accept 1 counter/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept the counters' })
  await expect(dialog).toContainText('USD 301.00')
  const open = (await orderOf(order.order_id)).line_items.find(({ in_response_to }) => in_response_to !== undefined)
  await counter(open?.unit_id ?? '', 399)
  await expect(dialog.getByRole('alert')).toContainText('The order has changed while you read this')
  await expect(dialog.locator('mark')).toHaveText('USD 399.00')
  const accept = dialog.getByRole('button', { name: 'Accept the counters' })
  await expect(accept).toBeDisabled()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Continue with the order as it is now' }).click()
  await accept.click()
  await expect(page.getByText('Elena Ortiz accepted this')).toBeVisible()
})

test('a stale plan: the new one is shown beside the old, and confirming is off', async ({ browser }) => {
  const order = await proposalOrder()
  const plan = (units: number) =>
    call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order.order_id}/plan`, {
      line_items: [{ ...order.line, units }],
      plan_totals: {},
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
  await plan(2)
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/plan`)
  await page.getByRole('button', { name: /^Confirm the plan/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Confirm the order' })).toBeEnabled()
  await plan(7)
  await expect(dialog.locator('mark')).toHaveText('7 units')
  await expect(dialog.getByRole('button', { name: 'Confirm the order' })).toBeDisabled()
})
