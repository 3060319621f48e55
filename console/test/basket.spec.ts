import { expect, type Page, type Route } from '@playwright/test'
import { accessFaults } from './support/accessFaults.ts'
import { ADVERTISER, fill, order, orderIdOf } from './support/buying.ts'
import { BUYER, call, SELLER, tokenOf } from './support/marketplace.ts'
import { asBuyer } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('what the API has against a line shows under its cell, and n goes there', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await fill(page, ['4', '6'])
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  await page.getByLabel('Units of line 2').fill('0')
  const second = page.getByRole('row').filter({ has: page.getByLabel('Units of line 2') })
  await expect(second.getByText(/Must be|must be|too small|at least/i)).toBeVisible()
  await expect(page.getByText('1 fault to correct')).toBeVisible()
  expect(await accessFaults(page)).toEqual([])
  await expect(order(page)).toBeDisabled()
  await page.getByRole('heading', { name: `Basket for ${SELLER}` }).click()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Units of line 2')).toBeFocused()
  await page.keyboard.type('3')
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  await expect(order(page)).toBeEnabled()
})

/** Changes the basket as it is kept, as a page that was left open has it. */
async function keptBasket(page: Page, change: Record<string, unknown>, rate: Record<string, unknown> = {}): Promise<void> {
  await page.evaluate(
    ([of, ofRate]) => {
      const key = Object.keys(sessionStorage).find((name) => name.includes('basket:')) ?? ''
      const basket = JSON.parse(sessionStorage.getItem(key) ?? '')
      basket.lines[0].rate = { ...basket.lines[0].rate, ...ofRate }
      sessionStorage.setItem(key, JSON.stringify({ ...basket, ...of }))
    },
    [change, rate] as const,
  )
  await page.reload()
}

test('a fault of what the page has no field for stands above the button that orders', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await fill(page, ['4'])
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  await expect(order(page)).toBeEnabled()
  await keptBasket(page, { rate_version: 'x'.repeat(400) })
  await expect(page.getByRole('alert')).toContainText('The order cannot be placed like this')
  await expect(page.getByRole('alert')).toContainText('rate_version')
  await expect(order(page)).toBeDisabled()
})

test('a price that is refused shows beside the one that is published now, which one click takes', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await fill(page, ['4'])
  // The basket was filled before the seller replaced its card.
  await keptBasket(page, {}, { locked_rate_id: 'lr_00000000000000000000000000', gross_rate_unit: 1 })
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  await expect(page.getByText('is not a price that this seller publishes')).toBeVisible()
  await page.getByRole('button', { name: 'Take the current price of line 1' }).click()
  await expect(page.getByText(/^Total USD/)).toBeVisible()
})

test('when the reply is lost, the same bytes are sent again and the order exists once', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await fill(page, ['2'])
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  const id = await page.getByLabel('Your order id').inputValue()
  const sent: (string | null)[] = []
  const lose = async (route: Route) => {
    sent.push(route.request().postData())
    await route.fetch()
    await route.abort('connectionreset')
  }
  await page.route('**/v1/orders', lose)
  await order(page).click()
  await expect(page.getByText('No reply came to this order')).toBeVisible()
  await expect(page.getByLabel('Units of line 1')).toBeDisabled()
  await page.reload()
  await expect(page.getByText('No reply came to this order')).toBeVisible()
  await page.unroute('**/v1/orders', lose)
  await expect(order(page)).toBeEnabled()
  await order(page).click()
  await expect(page).toHaveURL(/\/orders\/ord_/)
  expect(new Set(sent).size).toBe(1)
  const found = await call<{ orders: unknown[] }>(tokenOf('buyer', BUYER), 'GET', `/orders?external_order_id=${id}`)
  expect(found.orders).toHaveLength(1)
  await call(tokenOf('buyer', BUYER), 'POST', `/orders/${orderIdOf(page)}/cancel`, { actor: 'Elena Ortiz' })
})
