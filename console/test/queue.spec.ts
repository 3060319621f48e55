import { expect, type Request } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { decide, freshName, orderInReview, orderOf } from './support/marketplace.ts'
import { orderRows, queueIsEmpty, queueOf, withoutFeed } from './support/orderList.ts'
import { polled } from './support/polled.ts'
import { asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('a queue is cleared by keys alone', async ({ browser }) => {
  const advertiser = freshName('adv-keys')
  const orders = await Promise.all([1, 2, 3, 4].map(() => orderInReview({ lines: 1, advertiser })))
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  const left = async () =>
    (await Promise.all(orders.map(({ order_id }) => orderOf(order_id)))).filter(({ status }) => status === 'seller_review').length
  for (let waiting = orders.length; waiting > 0; waiting -= 1) {
    await expect(orderRows(page)).toHaveCount(waiting)
    await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
    await page.keyboard.press('Control+Enter')
  }
  await queueIsEmpty(page)
  await polled(left).toBe(0)
})

test('selected orders are approved together; one that has moved on is refused, and the rest go on', async ({ browser }) => {
  const advertiser = freshName('adv-selected')
  const orders = await Promise.all(Array.from({ length: 20 }, () => orderInReview({ lines: 1, advertiser })))
  const { page } = await asSeller(browser)
  await withoutFeed(page)
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  await expect(orderRows(page)).toHaveCount(orders.length)
  for (const _ of orders) {
    await page.keyboard.press('x')
    await page.keyboard.press('j')
  }
  await expect(page.getByText('20 orders selected')).toBeVisible()
  await expect(page.getByText('All 20 can be decided like this.')).toBeVisible()
  await decide(orders[2]?.order_id ?? '', { decision: 'reject' })
  const sent: (string | undefined)[] = []
  const [open, max] = [new Set<Request>(), { atOnce: 0 }]
  page.on('request', (request) => {
    if (!request.url().endsWith('/decide')) return
    sent.push(request.headers()['if-match'])
    open.add(request)
    max.atOnce = Math.max(max.atOnce, open.size)
  })
  page.on('requestfinished', (request) => open.delete(request))
  await expect(page.getByRole('button', { name: /^Approve 20 orders/ })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Results' }).click()
  const result = page.getByRole('dialog', { name: 'Approval of selected orders' })
  await expect(result.getByText('19 of 20 orders approved', { exact: true })).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await expect(result.getByRole('row').filter({ hasText: orders[2]?.external_order_id ?? '' })).not.toContainText('Placed')
  expect(sent.filter((seen) => /^"\d+"$/.test(seen ?? ''))).toHaveLength(20)
  expect(max.atOnce).toBeLessThanOrEqual(4)
})

test('while the marketplace does not answer, a banner says since when, and nothing can be sent', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const approve = await queueOf(page, order)
  await page.route('**/v1/**', (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByText('The marketplace has not answered since')).toBeVisible()
  await page.goBack()
  await expect(approve).toBeDisabled()
  await page.unroute('**/v1/**')
  await expect(page.getByText('The marketplace has not answered since')).toBeHidden({ timeout: 40_000 })
  await expect(approve).toBeEnabled()
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
  await expect(orderRows(page).first()).toContainText('overdue')
  await expect(detail.getByRole('heading', { name: read.external_order_id })).toBeVisible()
})

test('the gross that waits is pictured by the hour of its deadline, and a bar narrows the queue', async ({ browser }) => {
  const advertiser = freshName('hours')
  await Promise.all([1, 2].map(() => orderInReview({ lines: 1, advertiser })))
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  const picture = page.getByRole('figure', { name: 'Gross by hour of deadline' })
  const bars = picture.getByRole('button')
  await expect(bars.first()).toHaveAccessibleName(/: USD [\d,]+\.\d\d, \d orders?$/)
  await expect(picture.getByRole('table')).toContainText('USD')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await bars.first().click()
  await expect(page).toHaveURL(/hour=/)
  await expect(bars.first()).toHaveAttribute('aria-pressed', 'true')
  const named = (await bars.first().getAttribute('aria-label')) ?? ''
  await expect(orderRows(page)).toHaveCount(Number(/(\d) orders?$/.exec(named)?.[1]))
  await bars.first().click()
  await expect(orderRows(page)).toHaveCount(2)
})
