import { expect, type Page } from '@playwright/test'
import { fill } from './support/buying.ts'
import { BUYER, call, decide, orderInReview, SELLER, tokenOf } from './support/marketplace.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

interface Named {
  readonly buyer_name: string
  readonly seller_name: string
  readonly line_items: readonly { readonly product_id: string; readonly product_title: string }[]
}

/** The title stands before the id. */
async function isTitled(page: Page, { product_title, product_id }: Named['line_items'][number]): Promise<void> {
  await expect(page.getByText(product_title, { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('main')).toContainText(new RegExp(`${product_title}\\s*${product_id}`))
}

test('orders and lines are named as people name them: the title and the company first, the id in grey', async ({ browser }) => {
  const { order_id, external_order_id } = await orderInReview({ lines: 1 })
  const order = await call<Named>(tokenOf('seller', SELLER), 'GET', `/me/orders/${order_id}`)
  const [line] = order.line_items
  if (line === undefined) throw new Error('The order has no line.')
  expect([order.buyer_name, order.seller_name]).not.toEqual([BUYER, SELLER])
  const { page } = await asSeller(browser)
  await page.goto(`/console/queue?q=${external_order_id}`)
  await expect(page.getByRole('row').getByText(order.buyer_name)).toBeVisible()
  await isTitled(page, line)
  await page.goto(`/console/orders/${order_id}`)
  await isTitled(page, line)
  await expect(page.getByText(order.buyer_name, { exact: true }).first()).toBeVisible()
  await decide(order_id, { decision: 'approve' })
  const { page: buyer } = await asBuyer(browser)
  await buyer.goto(`/console/orders?q=${external_order_id}`)
  await expect(buyer.getByRole('row').getByText(order.seller_name)).toBeVisible()
  await buyer.goto(`/console/orders/${order_id}/print`)
  await expect(buyer.getByText(order.seller_name, { exact: true })).toBeVisible()
  await expect(buyer.getByRole('article')).toContainText(new RegExp(`${line.product_title}\\s*${line.product_id}`))
})

test('products are found by their title, and it stays with them in the basket', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await fill(page, ['2'])
  await expect(page.getByRole('rowheader').first()).toContainText(/Sports Prime|[A-Z][a-z]+ [A-Z][a-z]+/)
  await page.goto(`/console/find?seller=${SELLER}`)
  await page.getByRole('searchbox', { name: 'Filter products' }).fill('kitchen day')
  await expect(page.getByRole('list', { name: 'Products' }).getByRole('listitem')).toHaveCount(1)
})

test('an order is found from any page by a title, a buyer and its own id', async ({ browser }) => {
  const { order_id, external_order_id } = await orderInReview({ lines: 1, advertiser: 'adv-sought' })
  const order = await call<Named>(tokenOf('seller', SELLER), 'GET', `/me/orders/${order_id}`)
  const { page } = await asSeller(browser)
  await page.goto('/console/profile')
  await expect(page.getByRole('heading', { name: /^Level/ })).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByLabel('Search or command')
  await expect(search).toBeFocused()
  const word = order.line_items[0]?.product_title.split(' ')[0]?.toLowerCase() ?? ''
  await search.fill(`${word} adv-sought ${order.buyer_name.split(' ')[0]}`)
  await expect(page.getByRole('dialog').getByText(external_order_id)).toBeVisible()
  await search.fill(external_order_id)
  await expect(page.getByRole('dialog').getByText(external_order_id)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(order_id))
  await page.keyboard.press('Control+k')
  await search.fill('kitchen day')
  await page.getByRole('dialog').getByText('Kitchen Daytime', { exact: true }).click()
  await expect(page).toHaveURL(/avails/)
})
