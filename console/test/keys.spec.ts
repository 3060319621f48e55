import { expect } from '@playwright/test'
import { orderInReview, orderOf } from './support/marketplace.ts'
import { queueIsEmpty, queueOf } from './support/orderList.ts'
import { asBuyer, asOperator, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** What `g` and a letter lead to, by side: the level-1 heading of the page. */
const LEADS = [
  {
    signIn: asSeller,
    places: {
      q: 'Queue',
      o: 'Orders',
      a: 'Avails',
      c: 'Cards',
      p: 'Publish rates',
      f: 'Files',
      r: 'Rules',
      l: 'Relations',
      s: 'Settlement',
      w: 'Webhooks',
      y: 'Profile',
    },
  },
  {
    signIn: asBuyer,
    places: {
      f: 'Find',
      b: 'Baskets',
      o: 'Orders',
      c: 'Creatives',
      l: 'Relations',
      s: 'Settlement',
      w: 'Webhooks',
      y: 'Profile',
    },
  },
  { signIn: asOperator, places: { x: 'Operations' } },
] as const

for (const { signIn, places } of LEADS) {
  test(`g and a letter lead to ${Object.values(places).join(', ')}`, async ({ browser }) => {
    const { page } = await signIn(browser)
    await page.goto('/console/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const [key, heading] of Object.entries(places)) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
      await expect(page.locator('[aria-current=page]').first()).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    }
  })
}

test('single keys that are turned off choose nothing, and combinations still send', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  const approve = await queueOf(page, order)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByRole('switch', { name: 'Single keys' }).press('Space')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await page.keyboard.press('3')
  await page.keyboard.press('r')
  await page.keyboard.press('?')
  await expect(keys).toBeHidden()
  await expect(approve).toBeEnabled()
  await page.reload()
  await expect(approve).toBeEnabled()
  await page.keyboard.press('r')
  await expect(approve).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await queueIsEmpty(page)
  expect((await orderOf(order.order_id)).status).toBe('placed')
})

test('commands go to a page by its name, and to an order by its id', async ({ browser }) => {
  const order = await orderInReview()
  const { page } = await asSeller(browser)
  await page.goto('/console/orders')
  await expect(page.getByRole('heading', { name: /^Orders/, level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Search or command').fill('rules')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Rules', level: 1 })).toBeVisible()
  // What has closed takes no further key, however soon that comes.
  await page.keyboard.press('Control+k')
  await expect(page.getByLabel('Search or command')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByLabel('Search or command').fill(order.order_id)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: order.external_order_id })).toBeVisible()
})
