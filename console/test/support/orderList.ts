import { expect, type Locator, type Page } from '@playwright/test'
import type { PlacedOrder } from './marketplace.ts'

/** The rows of a list of orders, without its head. */
export const orderRows = (page: Page): Locator => page.getByRole('grid').getByRole('row').filter({ hasText: 'USD' })

/** Keeps the feed from a page, so that it cannot know what others do. */
export const withoutFeed = (page: Page) => page.route('**/v1/events/feed**', () => undefined)

/** Opens the queue of one order of two lines; resolves to the button that approves it, once it can. */
export async function queueOf(page: Page, { external_order_id }: Pick<PlacedOrder, 'external_order_id'>): Promise<Locator> {
  await page.goto(`/console/queue?q=${external_order_id}`)
  const approve = page.getByRole('button', { name: /^Approve 2 lines/ })
  await expect(approve).toBeEnabled()
  return approve
}

/** The queue has no order left that its filter lets through. */
export const queueIsEmpty = (page: Page) => expect(page.getByText('No order matches')).toBeVisible()
