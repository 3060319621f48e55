import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { BUYER, call, orderInReview, orderOf, SELLER, tokenOf } from '../test/support/marketplace.ts'
import { asBuyer, asSeller } from '../test/support/signedIn.ts'

const save = (page: Page, name: string) =>
  page.screenshot({ path: fileURLToPath(new URL(`../../docs/pictures/console-${name}.png`, import.meta.url)), animations: 'disabled' })

/** What a buyer may have ordered in a week, the oldest first, and what became of it. */
const BOOK = [
  { advertiser: 'adv-maple-grocers', campaign: 'fresh-january', lines: 2, units: 6, from: 2, then: 'approve' },
  { advertiser: 'adv-summit-cycles', campaign: 'spring-start', lines: 4, units: 8, from: 14, then: 'approve' },
  { advertiser: 'adv-harbor-coffee', campaign: 'morning', lines: 1, units: 20, from: 28, then: 'reject' },
  { advertiser: 'adv-tidewater-bank', campaign: 'savings', lines: 3, units: 12, from: 5, then: 'approve' },
  { advertiser: 'adv-ridgeline-outdoor', campaign: 'winter-sale', lines: 5, units: 4, from: 30, then: 'approve' },
  { advertiser: 'adv-maple-grocers', campaign: 'weekend', lines: 2, units: 15, from: 16, then: 'approve' },
  { advertiser: 'adv-ridgeline-outdoor', campaign: 'winter-sale', lines: 1, units: 4, from: 0 },
  { advertiser: 'adv-harbor-coffee', campaign: 'morning', lines: 2, units: 7, from: 13 },
  { advertiser: 'adv-tidewater-bank', campaign: 'savings', lines: 3, units: 10, from: 26 },
  { advertiser: 'adv-summit-cycles', campaign: 'spring-start', lines: 4, units: 13, from: 0 },
  { advertiser: 'adv-maple-grocers', campaign: 'weekend', lines: 1, units: 16, from: 33 },
] as const

/** An order of the buyer by its next number. */
async function ordered(order: Omit<(typeof BOOK)[number], 'then'>) {
  const { orders } = await call<{ orders: unknown[] }>(tokenOf('buyer', BUYER), 'GET', '/orders?limit=200')
  return orderInReview({ ...order, name: `io-${10_400 + orders.length}` })
}

test.beforeAll(async () => {
  test.setTimeout(180_000)
  for (const order of BOOK) {
    const { order_id } = await ordered(order)
    if (!('then' in order)) continue
    const body = { decision: order.then, actor: 'Priya Raman', reason: 'The week is sold.' }
    await call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order_id}/decide`, body)
  }
})

test('the queue, with an order open and a counter to its first line', async ({ browser }) => {
  const { page } = await asSeller(browser)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/console/queue')
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.getByRole('button', { name: /^Approve 3 lines/ })).toBeEnabled()
  await page.keyboard.press('2')
  await expect(page.getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/^Becomes/)).toContainText('Negotiating')
  await save(page, 'queue')
})

test('an order with two rounds', async ({ browser }) => {
  const { order_id } = await ordered({ advertiser: 'adv-ridgeline-outdoor', campaign: 'winter-sale', lines: 3, units: 12, from: 26 })
  const [ask] = (await orderOf(order_id)).line_items
  const counter = (unit_id: string | undefined, unit_cost: number) =>
    call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order_id}/decide`, {
      decision: 'counter',
      actor: 'Priya Raman',
      reason: 'The finals air that week.',
      units: [{ unit_id, action: 'counter', counter: { week: ask?.period.start, unit_cost } }],
    })
  const price = ask?.rate.unit_cost ?? 100
  await counter(ask?.unit_id, Math.round(price * 1.2))
  await counter(
    (await orderOf(order_id)).line_items.find(({ in_response_to }) => in_response_to !== undefined)?.unit_id,
    Math.round(price * 1.1),
  )
  const { page } = await asBuyer(browser)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/console/orders/${order_id}`)
  await expect(page.getByRole('columnheader', { name: 'Round 2' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Card' })).toBeVisible()
  await save(page, 'order')
})

test('the order book of the seller', async ({ browser }) => {
  const { page } = await asSeller(browser)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/console/orders')
  await expect(page.getByRole('grid')).toContainText('Placed')
  await save(page, 'orders')
})
