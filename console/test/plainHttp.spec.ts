import { type Browser, expect, type Page } from '@playwright/test'
import { ADVERTISER, order, putUnits } from './support/buying.ts'
import { credentials, proposalOrder, SELLER } from './support/marketplace.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** The marketplace at an http address of another machine, which browsers take for insecure: scripts have no randomUUID, locks or clipboard there. */
const PLAIN = 'http://marketplace.example'

/** A signed-in page whose calls of that address reach the marketplace. */
async function plainly(signIn: (browser: Browser) => Promise<{ page: Page }>, browser: Browser): Promise<Page> {
  const { page } = await signIn(browser)
  const base = new URL('/', credentials.base_url).href
  await page.route(`${PLAIN}/**`, async (route) => {
    const url = route.request().url().replace(`${PLAIN}/`, base)
    await route.fetch({ url }).then(
      (response) => route.fulfill({ response }),
      () => route.abort(),
    )
  })
  return page
}

test('at an address that is not secure a buyer fills a basket and orders it', async ({ browser }) => {
  const page = await plainly(asBuyer, browser)
  await page.goto(`${PLAIN}/console/find?seller=${SELLER}`)
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto])).toEqual([false, false])
  await putUnits(page, ['4'])
  await expect(page.getByLabel('Your order id')).toHaveValue(/^po-\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/)
  await page.getByLabel('Advertiser').fill(ADVERTISER)
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  await order(page).click()
  await expect(page).toHaveURL(/\/orders\/ord_/)
})

test('at an address that is not secure a seller adds a line to its plan, and marks a secret that it cannot copy', async ({ browser }) => {
  const { order_id } = await proposalOrder()
  const page = await plainly(asSeller, browser)
  await page.goto(`${PLAIN}/console/orders/${order_id}/plan`)
  await page.getByRole('button', { name: 'Add a line' }).click()
  await expect(page.getByLabel('Product')).toHaveCount(2)
  await page.goto(`${PLAIN}/console/webhooks`)
  await page.getByRole('button', { name: 'Register an endpoint' }).click()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/plain')
  await page.getByRole('button', { name: 'Register the endpoint' }).click()
  await page.getByTestId('secret').click()
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^whsec_\S+$/)
  await expect(page.getByRole('button', { name: 'Copy the secret' })).toHaveCount(0)
})
