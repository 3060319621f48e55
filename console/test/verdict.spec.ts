import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, decide, freshName, orderInReview, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const verdict = (page: Page) => page.getByRole('list', { name: 'Verdict' })

interface Avail {
  readonly product_id: string
  readonly period: { readonly grain: string; readonly start: string }
}

test('above the lines stands what speaks against an order, and then what speaks for it', async ({ browser }) => {
  const order = await orderInReview({ lines: 2 })
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(verdict(page)).toContainText('at the card')
  await expect(verdict(page)).toContainText(/airs in \d+ days/)
  await page.goto(`/console/orders/${order.order_id}`)
  await expect(verdict(page)).toContainText('at the card')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await decide(order.order_id, { decision: 'approve' })
  await expect(verdict(page)).toBeHidden()
  const { page: buyer } = await asBuyer(browser)
  await buyer.goto(`/console/orders/${order.order_id}`)
  await expect(buyer.getByText('Placed').first()).toBeVisible()
  await expect(verdict(buyer)).toBeHidden()
})

/** Publishes for a while that three units are left in the week of an order's first line. */
async function withThreeLeft(orderId: string, run: () => Promise<void>): Promise<void> {
  const [line] = (await orderOf(orderId)).line_items as unknown as readonly Avail[]
  const seller = tokenOf('seller', SELLER)
  const weeks = line?.period.start
  const { avails } = await call<{ avails: Avail[] }>(seller, 'GET', `/me/avails?weeks=${weeks}&product_id=${line?.product_id}`)
  const before = avails.find(({ period }) => period.start === weeks)
  await call(seller, 'PUT', '/me/avails', {
    avails: [{ product_id: line?.product_id, period: line?.period, state: 'available', spots: { available: 3 } }],
  })
  try {
    await run()
  } finally {
    if (before !== undefined) await call(seller, 'PUT', '/me/avails', { avails: [before] })
  }
}

test('lines above what is left are counted in red, first, and say so', async ({ browser }) => {
  const order = await orderInReview({ lines: 2, units: 5, name: freshName('short') })
  await withThreeLeft(order.order_id, async () => {
    const { page } = await asSeller(browser)
    await page.goto(`/console/queue?q=${order.external_order_id}`)
    await expect(verdict(page).getByRole('listitem').first()).toHaveText('1 of 2 lines above what is left')
    await expect(page.getByText('5 of 3 left')).toBeVisible()
  })
})

test('the queue sorts by verdict, and all green ones are approved together after saying what that means', async ({ browser }) => {
  const advertiser = freshName('green')
  const short = await orderInReview({ lines: 1, units: 5, advertiser })
  const good = await orderInReview({ lines: 1, units: 1, advertiser, from: 3 })
  await withThreeLeft(short.order_id, async () => {
    const { page } = await asSeller(browser)
    await page.goto(`/console/queue?advertiser=${advertiser}`)
    await expect(page.getByRole('grid').getByRole('row')).toHaveCount(3)
    await page.getByLabel('Sort by').selectOption('verdict')
    await expect(page).toHaveURL(/sort=verdict/)
    const green = page.getByRole('region', { name: 'All green' })
    await expect(green).toContainText('Nothing speaks against 1 order, USD')
    await expect(green).toContainText('at or above the card, within what is left, the credit and the flight')
    await expect(page.getByRole('grid').getByRole('row').last()).toContainText('above what is left')
    expect(await accessFaultsInBothSchemes(page)).toEqual([])
    await page.getByRole('grid').focus()
    await page.keyboard.press('v')
    const chosen = page.getByRole('region', { name: 'Selected orders' })
    await expect(chosen).toContainText('1 order selected, USD')
    await expect(chosen).toContainText('It can be decided like this.')
    await expect(chosen.getByRole('button', { name: /^Approve 1 order/ })).toBeEnabled()
    await page.keyboard.press('Control+Enter')
    await polled(async () => (await orderOf(good.order_id)).status).toBe('placed')
    expect((await orderOf(short.order_id)).status).toBe('seller_review')
  })
})
