import { expect, type Request, test } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { gate } from './support/gate.ts'
import { call, decide, orderInReview, orderOf, proposalOrder, SELLER, tokenOf } from './support/marketplace.ts'
import { orderRows, queueIsEmpty, queueOf, withoutFeed } from './support/orderList.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'

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
  await expect.poll(async () => (await orderOf(order.order_id)).status).toBe('placed')
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
    await expect.poll(() => fresh).toBeGreaterThan(1)
  })
}

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
  await expect(page.getByText('Choose for each open line')).toBeVisible()
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
  await page.getByRole('button', { name: 'Go on with what it is now' }).click()
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
  await dialog.getByRole('button', { name: 'Go on with what it is now' }).click()
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
  await expect.poll(() => waiting.size).toBe(1)
  begun = 0
  await decide(order.order_id, { decision: 'approve' })
  for (const tab of tabs) await queueIsEmpty(tab)
  expect(begun).toBeLessThan(tabs.length)
  await expect.poll(() => waiting.size).toBe(1)
})
