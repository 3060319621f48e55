import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { call, orderInReview, orderOf, SELLER, tokenOf } from '../test/support/marketplace.ts'
import { asBuyer, asSeller } from '../test/support/signedIn.ts'

const save = (page: Page, name: string) =>
  page.screenshot({ path: fileURLToPath(new URL(`../../docs/pictures/console-${name}.png`, import.meta.url)), animations: 'disabled' })

test('the queue, with an order open and a counter to its first line', async ({ browser }) => {
  const advertisers = ['adv-ridgeline-outdoor', 'adv-harbor-coffee', 'adv-tidewater-bank', 'adv-summit-cycles', 'adv-maple-grocers']
  for (const [index, advertiser] of advertisers.entries()) await orderInReview({ lines: 1 + (index % 4), units: 4 + 3 * index, advertiser })
  const { page } = await asSeller(browser)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/console/queue')
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('2')
  await expect(page.getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/^Becomes/)).toContainText('Negotiating')
  await save(page, 'queue')
})

test('an order with two rounds', async ({ browser }) => {
  const { order_id } = await orderInReview({ lines: 3, units: 12 })
  const [ask] = (await orderOf(order_id)).line_items
  const counter = (unit_id: string | undefined, unit_cost: number) =>
    call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order_id}/decide`, {
      decision: 'counter',
      actor: 'Priya Raman',
      reason: 'The finals air that week.',
      units: [{ unit_id, action: 'counter', counter: { week: ask?.period.start, unit_cost } }],
    })
  const price = ask?.rate.unit_cost ?? 100
  await counter(ask?.unit_id, price * 1.2)
  await counter((await orderOf(order_id)).line_items.find(({ in_response_to }) => in_response_to !== undefined)?.unit_id, price * 1.1)
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
