import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { gridRead } from './support/buying.ts'
import { BUYER, freshName, orderInReview, SELLER } from './support/marketplace.ts'
import { orderRows } from './support/orderList.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

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
    await expect(page.getByLabel(persona === SELLER ? 'Buyer' : 'Seller', { exact: true })).toBeFocused()
    expect(await accessFaultsInBothSchemes(page)).toEqual([])
    await page.getByLabel('Advertiser', { exact: true }).fill(advertiser)
    await page.getByLabel('Kind of order').selectOption('catalog')
    await page.getByLabel('First air from').fill('2020-01-01')
    await page.keyboard.press('Escape')
    await expect(orderRows(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: '3 filters' })).toBeFocused()
    await expect(page.getByRole('dialog', { name: 'Filters' })).toBeHidden()
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

test('a filter is the text that is typed, whatever it looks like', async ({ browser }) => {
  test.slow()
  const { page } = await signedIn(browser, BUYER)
  const filter = page.getByLabel('Filter', { exact: true })
  for (const text of ['1e5', 'true', '[1]', '{']) {
    await page.goto(`/console/orders?q=${encodeURIComponent(text)}`)
    await expect(filter).toHaveValue(text)
  }
  for (const text of ['12345678901234567890', '1.50', '42', '"42"', 'true', '[1]']) {
    await filter.fill(text)
    await expect(filter).toHaveValue(text)
    await page.reload()
    await expect(filter).toHaveValue(text)
  }
})

test('what an address says that is no filter, no event and no product is left out', async ({ browser }) => {
  const { order_id } = await orderInReview()
  const { page } = await signedIn(browser, BUYER)
  for (const wrong of ['overdue=1', 'from=2027', 'to=soon', 'workflow=x']) {
    await page.goto(`/console/orders?${wrong}`)
    await expect(orderRows(page).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeVisible()
  }
  await page.goto(`/console/orders/${order_id}?seq=abc`)
  await expect(page.getByRole('button', { name: 'Cancel the order' })).toBeVisible()
  await page.goto(`/console/find?seller=${SELLER}&pick=a/b`)
  await gridRead(page)
})

test('the order book says how many orders wait for whom', async ({ browser }) => {
  await orderInReview()
  const { page } = await signedIn(browser, BUYER)
  await page.goto('/console/orders')
  await expect(page.getByRole('heading', { name: /^Orders \d+ waits? for you, [1-9]\d* for the seller/ })).toBeVisible()
  await page.goto('/console/orders?overdue=true')
  await expect(page.getByRole('button', { name: '1 filter' })).toBeVisible()
})
