import { expect, type Page } from '@playwright/test'
import { call, orderInReview, SELLER, tokenOf } from './support/marketplace.ts'
import { asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

const TEN_MINUTES = 600_000

/** When the seller's decision is due, in ms. */
async function dueOf(orderId: string): Promise<number> {
  const { waiting_on } = await call<{ waiting_on: { due_by: string } }>(tokenOf('seller', SELLER), 'GET', `/me/orders/${orderId}`)
  return Date.parse(waiting_on.due_by)
}

/** Takes the date from every reply: one that arrives after the page's clock is set would set it back. */
async function withoutServerDate(page: Page): Promise<void> {
  await page.route(/\/(v1|session)\b/, async (route) => {
    const response = await route.fetch()
    const { date: _date, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
}

/** Has the page's clock reach an instant. */
async function reach(page: Page, instant: number): Promise<void> {
  await page.clock.fastForward(instant - (await page.evaluate(() => Date.now())) + 2_000)
}

for (const { name, path } of [
  { name: 'queue', path: ({ external_order_id }: { external_order_id: string }) => `/console/queue?q=${external_order_id}` },
  { name: 'page of an order', path: ({ order_id }: { order_id: string }) => `/console/orders/${order_id}` },
]) {
  test(`the ${name} says once that ten minutes are left, and that a decision is overdue`, async ({ browser }) => {
    const order = await orderInReview({ lines: 1 })
    const due = await dueOf(order.order_id)
    const { page } = await asSeller(browser)
    await page.clock.install()
    await withoutServerDate(page)
    await page.goto(path(order))
    const spoken = page.locator('[aria-live=polite]').filter({ hasText: /^$|due/ })
    await expect(page.getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
    await reach(page, due - TEN_MINUTES - 60_000)
    await expect(
      page
        .locator('time')
        .filter({ hasText: /^0:1[01]:/ })
        .first(),
    ).toBeVisible()
    await expect(spoken.filter({ hasText: 'due' })).toHaveCount(0)
    await reach(page, due - TEN_MINUTES)
    await expect(spoken.filter({ hasText: `${order.external_order_id} is due in 10 minutes.` })).toHaveCount(1)
    await reach(page, due)
    await expect(spoken.filter({ hasText: `${order.external_order_id} is overdue.` })).toHaveCount(1)
    await expect(
      page
        .locator('time')
        .filter({ hasText: /^overdue 0:00:/ })
        .first(),
    ).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
