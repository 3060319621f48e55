import { expect, test } from '@playwright/test'
import { BUYER, freshName, orderInReview, SELLER } from './support/marketplace.ts'
import { orderRows } from './support/orderList.ts'
import { signedIn } from './support/signedIn.ts'

for (const { screen, persona } of [
  { screen: 'queue', persona: SELLER },
  { screen: 'orders', persona: BUYER },
]) {
  test(`the filters of the ${screen} are in its address, and survive a reload`, async ({ browser }) => {
    const advertiser = freshName(`adv-${screen}`)
    const order = await orderInReview({ advertiser })
    const { page } = await signedIn(browser, persona)
    await page.goto(`/console/${screen}`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Advertiser', { exact: true }).fill(advertiser)
    await page.getByLabel('Kind of order').selectOption('catalog')
    await page.getByLabel('First air from').fill('2020-01-01')
    await page.keyboard.press('Escape')
    await expect(orderRows(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: '3 filters' })).toBeVisible()
    await page.reload()
    await expect(orderRows(page)).toHaveCount(1)
    const { searchParams } = new URL(page.url())
    expect(['advertiser', 'workflow', 'from'].map((name) => searchParams.get(name))).toEqual([advertiser, 'catalog', '2020-01-01'])

    await page.getByRole('button', { name: '3 filters' }).click()
    await page.getByLabel('to', { exact: true }).fill('2020-02-01')
    await expect(page.getByText('No order matches')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Filter', { exact: true }).fill(order.external_order_id)
    await expect(orderRows(page)).toHaveCount(1)
  })
}

test('the order book says how many orders wait for whom', async ({ browser }) => {
  await orderInReview()
  const { page } = await signedIn(browser, BUYER)
  await page.goto('/console/orders')
  await expect(page.getByRole('heading', { name: /^Orders \d+ waits? for you, [1-9]\d* for the seller/ })).toBeVisible()
  await page.goto('/console/orders?overdue=true')
  await expect(page.getByRole('button', { name: '1 filter' })).toBeVisible()
})
