import { expect, type Page, test } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, decide, freshName, orderInReview, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'

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

test('lines above what is left are counted in red, first', async ({ browser }) => {
  const order = await orderInReview({ lines: 2, units: 5, name: freshName('short') })
  const [line] = (await orderOf(order.order_id)).line_items as unknown as readonly Avail[]
  const seller = tokenOf('seller', SELLER)
  const weeks = line?.period.start
  const { avails } = await call<{ avails: Avail[] }>(seller, 'GET', `/me/avails?weeks=${weeks}&product_id=${line?.product_id}`)
  const before = avails.find(({ period }) => period.start === weeks)
  await call(seller, 'PUT', '/me/avails', {
    avails: [{ product_id: line?.product_id, period: line?.period, state: 'available', spots: { available: 3 } }],
  })
  try {
    const { page } = await asSeller(browser)
    await page.goto(`/console/queue?q=${order.external_order_id}`)
    await expect(verdict(page).getByRole('listitem').first()).toHaveText('1 of 2 lines above what is left')
  } finally {
    if (before !== undefined) await call(seller, 'PUT', '/me/avails', { avails: [before] })
  }
})
