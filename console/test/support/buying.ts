import { expect, type Page } from '@playwright/test'
import { BUYER, call, SELLER, tokenOf } from './marketplace.ts'

export const ADVERTISER = 'adv-ridgeline-outdoor'

/** The grid of the seller's products, with the first weeks in view. */
export async function openGrid(page: Page, seller = SELLER): Promise<void> {
  await page.goto(`/console/find?seller=${seller}`)
  await gridRead(page)
}

/** Resolves when the prices of every product in the grid are there: rows move while one is being read. */
export async function gridRead(page: Page): Promise<void> {
  await expect(page.getByLabel(/^Units of /).first()).toBeVisible()
  await expect(page.getByRole('columnheader').locator('.mantine-Skeleton-root')).toHaveCount(0)
}

/** Puts units of the first weeks of the first product into the basket, by keys, and opens it. */
export async function fill(page: Page, units: readonly string[]): Promise<void> {
  await openGrid(page)
  await putUnits(page, units)
}

/** The same from the grid, once it is open. */
export async function putUnits(page: Page, units: readonly string[]): Promise<void> {
  await gridRead(page)
  await page.keyboard.press('Enter')
  for (const count of units) {
    await page.keyboard.type(count)
    await page.keyboard.press('ArrowDown')
  }
  await expect(page.getByRole('button', { name: new RegExp(`^Basket for ${SELLER}: ${units.length} line`) })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: `Basket for ${SELLER}` })).toBeVisible()
}

/** The button that orders. */
export const order = (page: Page) => page.getByRole('button', { name: /^Order \d+ line|^Send it again/ })
export const orderIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** The seller of an order approves it, once it is there to decide. */
export async function approve(orderId: string): Promise<void> {
  const { seller } = await call<{ seller: string }>(tokenOf('buyer', BUYER), 'GET', `/orders/${orderId}`)
  const token = tokenOf('seller', seller)
  await expect
    .poll(async () => (await call<{ status: string }>(token, 'GET', `/me/orders/${orderId}`)).status, { timeout: 30_000 })
    .toBe('seller_review')
  await call(token, 'POST', `/me/orders/${orderId}/decide`, { decision: 'approve', actor: 'Priya Raman' })
}
