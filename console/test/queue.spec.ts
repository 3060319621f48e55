import { expect, type Page, test } from '@playwright/test'
import { call, orderInReview, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { asSeller } from './support/signedIn.ts'

const shown = (page: Page) => page.getByRole('grid').getByRole('row').filter({ hasText: 'USD' })

/** An advertiser of one spec, by which it finds its own orders. */
const ownAdvertiser = (name: string) => `adv-${name}-${Date.now().toString(36)}`

test('a queue is cleared by keys alone', async ({ browser }) => {
  const advertiser = ownAdvertiser('keys')
  const orders = await Promise.all([1, 2, 3, 4].map(() => orderInReview({ lines: 1, advertiser })))
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  const left = async () =>
    (await Promise.all(orders.map(({ order_id }) => orderOf(order_id)))).filter(({ status }) => status === 'seller_review').length
  for (let waiting = orders.length; waiting > 0; waiting -= 1) {
    await expect(shown(page)).toHaveCount(waiting)
    await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
    await page.keyboard.press('Control+Enter')
  }
  await expect(page.getByText('No order matches')).toBeVisible()
  await expect.poll(left).toBe(0)
})

test('selected orders are approved together; one that has moved on is refused, and the rest go on', async ({ browser }) => {
  const advertiser = ownAdvertiser('selected')
  const orders = await Promise.all([1, 2, 3, 4, 5, 6].map(() => orderInReview({ lines: 1, advertiser })))
  const { page } = await asSeller(browser)
  await page.route('**/v1/events/feed**', () => undefined)
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  await expect(shown(page)).toHaveCount(orders.length)
  for (const _ of orders) {
    await page.keyboard.press('x')
    await page.keyboard.press('j')
  }
  await expect(page.getByText('6 orders selected')).toBeVisible()
  await call(tokenOf('seller', SELLER), 'POST', `/me/orders/${orders[2]?.order_id}/decide`, { decision: 'reject', actor: 'Dana Whitfield' })
  await page.keyboard.press('Control+Enter')
  const result = page.getByRole('dialog', { name: 'Approval of selected orders' })
  await expect(result.getByText('5 of 6 orders approved', { exact: true })).toBeVisible()
  await expect(result.getByRole('row').filter({ hasText: orders[2]?.external_order_id ?? '' })).not.toContainText('Placed')
})

test('while the marketplace does not answer, a banner says since when, and nothing can be sent', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  const approve = page.getByRole('button', { name: /^Approve 2 lines/ })
  await expect(approve).toBeEnabled()
  await page.route('**/v1/**', (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByText('The marketplace has not answered since')).toBeVisible()
  await page.goBack()
  await expect(approve).toBeDisabled()
  await page.unroute('**/v1/**')
  await expect(page.getByText('The marketplace has not answered since')).toBeHidden({ timeout: 40_000 })
  await expect(approve).toBeEnabled()
})

test('of several tabs one waits at the feed, and all follow it', async ({ browser }) => {
  const { page } = await asSeller(browser)
  let polls = 0
  page.context().on('request', (request) => {
    if (request.url().includes('wait_s=')) polls += 1
  })
  const tabs = [page, await page.context().newPage(), await page.context().newPage()]
  for (const tab of tabs) await tab.goto('/console/queue?q=nothing')
  for (const tab of tabs) await expect(tab.getByRole('heading', { name: /^Queue/ })).toBeVisible()
  const order = await orderInReview()
  for (const tab of tabs) await tab.goto(`/console/queue?q=${order.external_order_id}`)
  for (const tab of tabs) await expect(shown(tab)).toHaveCount(1)
  polls = 0
  await call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order.order_id}/decide`, { decision: 'approve', actor: 'Dana Whitfield' })
  for (const tab of tabs) await expect(tab.getByText('No order matches')).toBeVisible()
  expect(polls).toBeLessThanOrEqual(3)
})

test('an order that comes first by its deadline does not take the place of the one that is read', async ({ browser }) => {
  const [read, urgent] = [await orderInReview(), await orderInReview()]
  let hasCome = false
  const { page } = await asSeller(browser)
  await page.route(
    ({ pathname }) => pathname === '/v1/me/orders',
    async (route) => {
      const list = (await (await route.fetch()).json()) as { orders: { order_id: string; waiting_on: object }[] }
      const orders = list.orders.flatMap((order) => {
        if (order.order_id === read.order_id) return [order]
        const waiting_on = { ...order.waiting_on, due_by: '2020-01-01T00:00:00.000Z' }
        return hasCome && order.order_id === urgent.order_id ? [{ ...order, waiting_on }] : []
      })
      await route.fulfill({ json: { ...list, orders, next_cursor: null } })
    },
  )
  await page.goto('/console/queue')
  const detail = page.getByRole('region', { name: 'The order', exact: true })
  await expect(detail.getByRole('heading', { name: read.external_order_id })).toBeVisible()
  hasCome = true
  await orderInReview()
  await expect(shown(page).first()).toContainText('overdue')
  await expect(detail.getByRole('heading', { name: read.external_order_id })).toBeVisible()
})
