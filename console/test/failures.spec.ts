import { expect, type Request } from '@playwright/test'
import { gate } from './support/gate.ts'
import { call, decide, orderInReview, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { orderRows, queueIsEmpty, queueOf, withoutFeed } from './support/orderList.ts'
import { polled } from './support/polled.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const isWaiting = (request: Request) => request.url().includes('wait_s=')

test('API away: an open dialog and its keys send nothing, until the API answers', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await page.getByRole('button', { name: 'Cancel the order' }).click()
  const send = page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' })
  await expect(send).toBeEnabled()
  await page.route('**/v1/**', (route) => route.abort())
  await page.getByRole('dialog').getByLabel('Reason').fill('Too late.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The marketplace has not answered since')).toBeVisible()
  await expect(send).toBeDisabled()
  await page.keyboard.press('Enter')
  expect((await orderOf(order.order_id)).status).toBe('seller_review')
})

test('API away: the key of the order book opens no dialog', async ({ browser }) => {
  const { external_order_id } = await orderInReview({ lines: 1 })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders?q=${external_order_id}`)
  await expect(orderRows(page)).toHaveCount(1)
  await page.route('**/v1/**', (route) => route.abort())
  await page.getByLabel('Status', { exact: true }).selectOption('seller_review')
  await expect(page.getByText('The marketplace has not answered since')).toBeVisible()
  await expect(orderRows(page)).toHaveCount(1)
  await page.getByRole('grid').focus()
  await page.keyboard.press('c')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Cancel the order' })).toBeHidden()
})

test('429: a banner says that there were too many requests, writes are off, and the page recovers', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const approve = await queueOf(page, order)
  const refusal = { error_code: 'RATE_LIMITED', error_message: 'Too many requests.', recoverable: true, details: {} }
  await page.route('**/v1/**', (route) => route.fulfill({ status: 429, json: refusal, headers: { 'Retry-After': '1' } }))
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByText('The marketplace has had too many requests since')).toBeVisible()
  await page.goBack()
  await expect(approve).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  await page.unroute('**/v1/**')
  await expect(page.getByText('The marketplace has had too many requests since')).toBeHidden()
  expect((await orderOf(order.order_id)).status).toBe('seller_review')
})

test('a gap: an event of any seq has the order read again', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asBuyer(browser)
  const event = { event_type: 'order.status_changed', order_id: order.order_id, seq: 40, status: 'placed' }
  const placed = gate()
  let isTold = false
  await page.route('**/v1/events/feed**', async (route) => {
    if (!isWaiting(route.request())) return route.continue()
    await placed.opened
    if (isTold) return
    isTold = true
    return route.fulfill({ json: { events: [event], next_cursor: 'c' } })
  })
  await page.goto(`/console/orders/${order.order_id}`)
  await expect(page.getByText('In review').first()).toBeVisible()
  await decide(order.order_id, { decision: 'approve' })
  await polled(async () => (await orderOf(order.order_id)).status).toBe('placed')
  placed.open()
  await expect(page.getByText('Dana Whitfield approved this')).toBeVisible()
})

for (const { name, answer } of [
  {
    name: 'a cursor that is refused',
    answer: { status: 422, json: { error_code: 'INVALID_INPUT', error_message: 'The cursor is too old.', recoverable: true, details: {} } },
  },
  {
    name: 'more than 500 events behind',
    answer: {
      status: 200,
      json: { events: Array.from({ length: 500 }, (_, seq) => ({ order_id: `ord_${seq}`, seq })), next_cursor: 'far' },
    },
  },
]) {
  test(`${name}: everything is read again from now on`, async ({ browser }) => {
    const order = await orderInReview()
    const { page } = await asBuyer(browser)
    const behind = gate()
    let fresh = 0
    await page.route('**/v1/events/feed**', async (route) => {
      if (!isWaiting(route.request())) {
        fresh += 1
        return route.continue()
      }
      await behind.opened
      if (fresh > 1) return
      return route.fulfill(answer)
    })
    await page.goto(`/console/orders/${order.order_id}`)
    await expect(page.getByText('In review').first()).toBeVisible()
    await decide(order.order_id, { decision: 'approve' })
    behind.open()
    await expect(page.getByText('Dana Whitfield approved this')).toBeVisible()
    await polled(() => fresh).toBeGreaterThan(1)
  })
}

test('a reply is lost: the same bytes are sent again, and the order is decided once', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await withoutFeed(page)
  const approve = await queueOf(page, order)
  const bodies: (string | null)[] = []
  await page.route('**/decide', async (route) => {
    bodies.push(route.request().postData())
    if (bodies.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await approve.click()
  await queueIsEmpty(page)
  expect(bodies.length).toBe(2)
  expect(bodies[0]).toBe(bodies[1])
  const { events } = await call<{ events: { decision_record?: object }[] }>(
    tokenOf('seller', SELLER),
    'GET',
    `/events?order=${order.order_id}`,
  )
  expect(events.filter(({ decision_record }) => decision_record !== undefined).length).toBe(1)
})

test('a page of a list that fails is said, and read again when somebody asks', async ({ browser }) => {
  await orderInReview()
  const { page } = await asBuyer(browser)
  await withoutFeed(page)
  let isFailing = true
  let reads = 0
  await page.route(/\/v1\/orders\?/, async (route) => {
    if (!new URL(route.request().url()).searchParams.has('cursor')) {
      const response = await route.fetch()
      const { orders } = (await response.json()) as { orders: unknown[] }
      // So short that its end is in sight.
      return route.fulfill({ response, json: { orders: orders.slice(0, 1), next_cursor: 'next' } })
    }
    reads += 1
    return isFailing ? route.fulfill({ status: 500, json: {} }) : route.fulfill({ json: { orders: [], next_cursor: null } })
  })
  await page.goto('/console/orders')
  const fault = page.getByRole('alert').filter({ hasText: 'The rest of the list was not read' })
  await expect(fault).toBeVisible()
  isFailing = false
  await fault.getByRole('button', { name: 'Try again' }).click()
  await expect(fault).toBeHidden()
  expect(reads).toBeLessThan(5)
})

test('a page of the queue that fails is said beside those that were read', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await withoutFeed(page)
  let isFailing = true
  await page.route(/\/v1\/me\/orders\?/, async (route) => {
    if (new URL(route.request().url()).searchParams.has('cursor'))
      return isFailing ? route.fulfill({ status: 500, json: {} }) : route.fulfill({ json: { orders: [], next_cursor: null } })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...((await response.json()) as object), next_cursor: 'next' } })
  })
  await queueOf(page, order)
  const fault = page.getByRole('alert').filter({ hasText: 'The rest of the list was not read' })
  await expect(fault).toBeVisible()
  await expect(orderRows(page)).toHaveCount(1)
  isFailing = false
  await fault.getByRole('button', { name: 'Try again' }).click()
  await expect(fault).toBeHidden()
})

test('of six tabs one waits at the feed, and all follow it', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const context = page.context()
  const waiting = new Set<Request>()
  let begun = 0
  context.on('request', (request) => {
    if (!isWaiting(request)) return
    waiting.add(request)
    begun += 1
  })
  context.on('requestfinished', (request) => waiting.delete(request))
  context.on('requestfailed', (request) => waiting.delete(request))
  const tabs = [page, ...(await Promise.all([1, 2, 3, 4, 5].map(() => context.newPage())))]
  for (const tab of tabs) await queueOf(tab, order)
  await polled(() => waiting.size).toBe(1)
  begun = 0
  await decide(order.order_id, { decision: 'approve' })
  for (const tab of tabs) await queueIsEmpty(tab)
  expect(begun).toBeLessThan(tabs.length)
  await polled(() => waiting.size).toBe(1)
})
