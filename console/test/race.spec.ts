import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, decide, freshName, orderInReview, orderOf, type PlacedOrder, proposalOrder, SELLER, tokenOf } from './support/marketplace.ts'
import { orderRows } from './support/orderList.ts'
import { polled } from './support/polled.ts'
import { numbers } from './support/random.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const COLLEAGUE = 'Sam Ito'
const detailOf = (page: Page) => page.getByRole('region', { name: 'The order', exact: true })
const openOrder = (page: Page, { external_order_id }: PlacedOrder) =>
  expect(detailOf(page).getByRole('heading', { name: external_order_id })).toBeVisible()

/** The queue of one advertiser with some orders of it, the first of them open and decidable. */
async function queueWith(page: Page, count: number, lines = 1): Promise<PlacedOrder[]> {
  const advertiser = freshName('adv-race')
  const orders: PlacedOrder[] = []
  for (let n = 0; n < count; n += 1) orders.push(await orderInReview({ lines, advertiser }))
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  await expect(orderRows(page)).toHaveCount(count)
  await expect(detailOf(page).getByRole('button', { name: /^Approve/ })).toBeEnabled()
  return orders
}

/** What the page sends to be decided, in the order of sending. */
function sentBy(page: Page): { orderId: string; decision: string }[] {
  const sent: { orderId: string; decision: string }[] = []
  page.on('request', (request) => {
    const orderId = /\/me\/orders\/([^/]+)\/decide$/.exec(request.url())?.[1]
    if (orderId) sent.push({ orderId, decision: (request.postDataJSON() as { decision: string }).decision })
  })
  return sent
}

test('an order that a colleague decides stays open, and nothing is sent until its reader goes on', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const sent = sentBy(page)
  const [first, second] = (await queueWith(page, 2)) as [PlacedOrder, PlacedOrder]
  await openOrder(page, first)
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: /^Reject 1 line/ })).toBeEnabled()
  await decide(first.order_id, { decision: 'approve', actor: COLLEAGUE })
  await expect(orderRows(page)).toHaveCount(1)
  const card = detailOf(page).getByRole('alert')
  await expect(card).toContainText(/Sam Ito approved this \d+ s ago; you meant to reject/)
  await expect(card).toContainText(`Nothing of yours was sent for ${first.external_order_id}`)
  await openOrder(page, first)
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('r')
  await page.keyboard.press('Control+Enter')
  expect(sent).toEqual([])
  await page.keyboard.press('j')
  await openOrder(page, second)
  await expect(detailOf(page).getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await polled(() => sent).toEqual([{ orderId: second.order_id, decision: 'approve' }])
})

test('an order that was open when the page was left is still the open one after it is loaded again', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const [first, second] = (await queueWith(page, 3)) as [PlacedOrder, PlacedOrder]
  await page.keyboard.press('j')
  await openOrder(page, second)
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: /^Reject 1 line/ })).toBeEnabled()
  await decide(second.order_id, { decision: 'approve', actor: COLLEAGUE })
  await page.reload()
  await expect(orderRows(page)).toHaveCount(2)
  await expect(detailOf(page).getByRole('alert')).toContainText('you meant to reject')
  await page.getByRole('searchbox', { name: 'Filter' }).fill(first.external_order_id)
  await openOrder(page, first)
})

test('orders that were selected are not replaced by the one that is open', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const sent = sentBy(page)
  const [first] = (await queueWith(page, 2)) as [PlacedOrder]
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await expect(page.getByText('1 order selected')).toBeVisible()
  await decide(first.order_id, { decision: 'reject', actor: COLLEAGUE })
  await expect(page.getByText('1 order of them left the queue')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByText('order selected')).toBeHidden()
  expect(sent).toEqual([])
})

test('an order that changes under its reader is not sent as something else', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  const ask = (await orderOf(order.order_id)).line_items[0]
  const { page } = await asSeller(browser)
  const sent = sentBy(page)
  await page.goto(`/console/orders/${order.order_id}`)
  await expect(page.getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
  await page.keyboard.press('r')
  await decide(order.order_id, {
    decision: 'counter',
    actor: COLLEAGUE,
    units: [{ unit_id: ask?.unit_id, action: 'counter', counter: { week: ask?.period.start, unit_cost: 301 } }],
  })
  await expect(page.getByRole('status').filter({ hasText: /Sam Ito countered this \d+ s ago; you meant to reject/ })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await decide(order.order_id, { decision: 'reject', actor: COLLEAGUE })
  await expect(page.getByRole('alert')).toContainText(/Sam Ito rejected this \d+ s ago; you meant to reject/)
  expect(sent).toEqual([])
})

for (const seed of [1, 2, 3]) {
  test(`whatever a colleague does, what is sent was shown and meant (${seed})`, async ({ browser }) => {
    test.slow()
    const { page } = await asSeller(browser)
    const sent = sentBy(page)
    const random = numbers(seed)
    const orders = await queueWith(page, 8)
    const idOf = new Map(orders.map(({ external_order_id, order_id }) => [external_order_id, order_id]))
    const meant: { orderId: string | undefined; decision: string }[] = []
    const colleague: Promise<unknown>[] = []
    for (let round = 0; round < 10 && (await orderRows(page).count()) > 0; round += 1) {
      const shown = await detailOf(page).getByRole('heading').first().textContent()
      const isReject = random() < 0.5
      await page.keyboard.press(isReject ? 'r' : 'a')
      // The colleague decides the one that is open, or another one, just before the key, or just after it.
      const other = random() < 0.6 ? idOf.get(shown ?? '') : orders[Math.floor(random() * orders.length)]?.order_id
      const pause = random() * 700
      colleague.push(
        page
          .waitForTimeout(random() * 700)
          .then(() => decide(other ?? '', { decision: isReject ? 'approve' : 'reject', actor: COLLEAGUE }))
          .catch(() => undefined),
      )
      await page.waitForTimeout(pause)
      const before = sent.length
      await page.keyboard.press('Control+Enter')
      await page.waitForTimeout(50)
      meant.push({ orderId: idOf.get(shown ?? ''), decision: isReject ? 'reject' : 'approve' })
      for (const one of sent.slice(before)) expect(one).toEqual(meant.at(-1))
      await page.waitForTimeout(650)
      if (random() < 0.7) await page.keyboard.press('j')
    }
    await Promise.all(colleague)
    for (const one of sent) expect(meant).toContainEqual(one)
    expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(sent.length)
    expect(sent.length).toBeGreaterThan(0)
  })
}

test('a buyer accepts the counters, and confirms the plan, that were on the page', async ({ browser }) => {
  const order = await orderInReview({ lines: 1 })
  const counter = async (unit_cost: number) => {
    const { line_items } = await orderOf(order.order_id)
    const [open] = line_items.filter(({ in_response_to }) => in_response_to !== undefined).slice(-1)
    const [line] = line_items
    const unit = { unit_id: (open ?? line)?.unit_id, action: 'counter', counter: { week: line?.period.start, unit_cost } }
    await decide(order.order_id, { decision: 'counter', actor: COLLEAGUE, units: [unit] })
  }
  await counter(301)
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await expect(page.getByText('301.00').first()).toBeVisible()
  await page.waitForTimeout(500)
  await counter(399)
  await expect(page.getByText('399.00').first()).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('The order has changed while you read this')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Accept the counters' })).toBeDisabled()
  expect((await orderOf(order.order_id)).status).toBe('negotiating')

  const proposal = await proposalOrder()
  const plan = (units: number) =>
    call(tokenOf('seller', SELLER), 'POST', `/me/orders/${proposal.order_id}/plan`, {
      line_items: [{ ...proposal.line, units }],
      plan_totals: {},
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
  await plan(2)
  await page.goto(`/console/orders/${proposal.order_id}/plan`)
  await expect(page.getByRole('button', { name: /^Confirm the plan/ })).toBeEnabled()
  await page.waitForTimeout(500)
  await plan(7)
  await expect(page.getByRole('region', { name: 'Plan' }).getByRole('cell', { name: '7', exact: true })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.locator('mark')).toHaveText('7 units')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Confirm the order' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Continue with the order as it is now' }).click()
  await expect(dialog.getByRole('button', { name: 'Confirm the order' })).toBeEnabled()
})
