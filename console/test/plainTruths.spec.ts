import { expect } from '@playwright/test'
import { gate } from './support/gate.ts'
import { call, decide, documentOrder, freshName, nobodys, orderInReview, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { orderRows, queueOf } from './support/orderList.ts'
import { polled } from './support/polled.ts'
import { asText, paste, RATE_HEADER, rateRows, weeks } from './support/sheet.ts'
import { asOperator, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('the widest money of the queue is shown whole', async ({ browser }) => {
  const { external_order_id } = await orderInReview()
  const { page } = await asSeller(browser)
  await page.route(/\/v1\/me\/orders\?/, async (route) => {
    const reply = (await (await route.fetch()).json()) as { orders: { totals: object }[] }
    const orders = reply.orders.map((order) => ({ ...order, totals: { ...order.totals, gross: 123_456_789.25 } }))
    await route.fulfill({ json: { ...reply, orders } })
  })
  await page.goto(`/console/queue?q=${external_order_id}`)
  const money = orderRows(page).getByText('USD 123,456,789.25')
  await expect(money).toBeVisible()
  const { needs, has } = await money.evaluate((element) => {
    const cell = element.closest('[role=gridcell]') as HTMLElement
    return { needs: cell.scrollWidth, has: cell.clientWidth }
  })
  expect(needs).toBeLessThanOrEqual(has)
})

test('that an order is not there is said once', async ({ browser }) => {
  const { page } = await asSeller(browser)
  await page.goto(`/console/orders/${nobodys('ord')}`)
  await expect(page.getByRole('alert').first()).toContainText('NOT_FOUND')
  await page.waitForTimeout(500)
  await expect(page.getByRole('alert')).toHaveCount(1)
})

test('one button claims a key, and what it says is what the key does', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await queueOf(page, order)
  const claims = page.getByRole('main').getByRole('button').filter({ hasText: 'Ctrl Enter' })
  await expect(claims).toHaveCount(1)
  await page.keyboard.press('x')
  await expect(page.getByRole('button', { name: /^Approve 1 order/ })).toContainText('Ctrl Enter')
  await expect(claims).toHaveCount(1)
})

test("a seller approves with its own number of the order, and its buyer's document has the name of the order", async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const approve = await queueOf(page, order)
  const number = freshName('traffic')
  await page.getByLabel('Your order number').fill(number)
  await approve.click()
  await polled(async () => (await orderOf(order.order_id)).status).toBe('placed')
  expect(JSON.stringify(await call(tokenOf('seller', SELLER), 'GET', `/events?order=${order.order_id}`))).toContain(number)

  const document = await documentOrder()
  await page.goto(`/console/orders/${document.order_id}`)
  await expect(page.getByRole('link', { name: `${document.external_order_id}.csv` })).toBeVisible()
})

test('the count of what waits follows decisions within seconds', async ({ browser }) => {
  const orders = [await orderInReview(), await orderInReview(), await orderInReview()]
  const { page } = await asSeller(browser)
  await page.goto('/console/orders')
  const count = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: /^Queue/ })
  const shown = async () => Number(/\d+/.exec((await count.textContent()) ?? '')?.[0] ?? 0)
  await polled(shown).toBeGreaterThan(2)
  await page.waitForTimeout(1_000)
  for (const { order_id } of orders) {
    await decide(order_id, { decision: 'reject' })
    await page.waitForTimeout(400)
  }
  const waiting = await call<{ waiting_on: { seller: number } }>(tokenOf('seller', SELLER), 'GET', '/me/orders/counts')
  await polled(shown, 5_000).toBe(waiting.waiting_on.seller)
})

test('a sheet of which every row has a fault is not said to be published already', async ({ browser }) => {
  const { page } = await asSeller(browser)
  await page.goto('/console/publish/rates')
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  await paste(page, asText([RATE_HEADER, ...rateRows(['nowhere'], weeks(2028, 2), [30], () => '100.00')]))
  await expect(page.getByText('Nothing would be published: every row has a fault.')).toBeVisible()
  await expect(page.getByText('already published')).toBeHidden()
})

test('without a worker that reports, Temporal is unknown, and not away', async ({ browser }) => {
  const { page } = await asOperator(browser)
  await page.route('**/v1/ops/health', async (route) => {
    const health = (await (await route.fetch()).json()) as { workers: object[]; temporal: object }
    const workers = health.workers.map((one) => ({ ...one, alive: false }))
    await route.fulfill({ json: { ...health, workers, temporal: { ...health.temporal, reachable: false } } })
  })
  await page.goto('/console/ops')
  await expect(page.getByText('no worker reports')).toBeVisible()
  await expect(page.getByText('away', { exact: true })).toBeHidden()
})

test('the zone of times is named once, and can be UTC; a year that is not this one is shown', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await page.route(`**/v1/me/orders/${order.order_id}`, async (route) => {
    const read = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...read, created_at: '2021-03-04T23:30:00.000Z' } })
  })
  await page.goto(`/console/orders/${order.order_id}`)
  const created = page.locator('time[datetime="2021-03-04T23:30:00.000Z"]')
  await expect(created).toContainText('2021')
  const zone = page.getByRole('button', { name: /^Times in / })
  await zone.click()
  await expect(page.getByRole('button', { name: 'Times in UTC' })).toBeVisible()
  await expect(created).toHaveText('Mar 4, 2021, 23:30')
  await page.reload()
  await expect(created).toHaveText('Mar 4, 2021, 23:30')
})

test('a decision that takes long says that it is safe to wait', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const approve = await queueOf(page, order)
  const held = gate()
  await page.route('**/decide', async (route) => {
    await held.opened
    await route.continue()
  })
  await approve.click()
  await expect(page.getByText('Still sending. It is safe to wait.')).toBeVisible()
  held.open()
  await polled(async () => (await orderOf(order.order_id)).status).toBe('placed')
})
