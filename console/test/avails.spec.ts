import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { BUYER, call, freshName, tokenOf } from './support/marketplace.ts'
import { ownProducts } from './support/sheet.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

const SELLER = 'lakeshore-28'
const WEEK = '2028-W20'
const token = () => tokenOf('seller', SELLER)

test('an avail is edited in place', async ({ browser }) => {
  const product_id = await ownProduct(12)
  const { page } = await signedIn(browser, SELLER)
  await page.goto(`/console/avails?from=${WEEK}&q=${product_id}`)
  await expect(cell(page, product_id)).toHaveText('25%')
  await cell(page, product_id).click()
  await page.keyboard.press('Enter')
  await page.getByLabel('Sold, %').fill('62.5')
  await page.getByLabel('Spots left').fill('six')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/spots.available must be/)).toBeVisible()
  await page.getByLabel('Spots left').fill('6')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Published', { exact: true })).toBeVisible()
  await expect(cell(page, product_id)).toHaveText('62.5%')
  expect(await published(product_id)).toMatchObject([{ sellout_level: 0.625, spots: { available: 6 } }])
})

test('what somebody else published meanwhile is shown before it is replaced', async ({ browser }) => {
  const product_id = await ownProduct(12)
  const { page } = await signedIn(browser, SELLER)
  await page.goto(`/console/avails?from=${WEEK}&q=${product_id}&by=count`)
  await expect(cell(page, product_id)).toHaveText('12')
  await publish(product_id, 40)
  await page.getByLabel('Spots left').fill('6')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Somebody else has published this')).toBeVisible()
  await expect(page.getByText(/Theirs: 25% sold, 40 left. You saw: 25% sold, 12 left/)).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  expect(await published(product_id)).toMatchObject([{ spots: { available: 40 } }])
  await page.getByRole('button', { name: /Replace theirs/ }).click()
  await expect(cell(page, product_id)).toHaveText('6')
})

test('an ask of a buyer is answered by publishing the avail', async ({ browser }) => {
  const product_id = freshName('avail')
  await ownProducts(SELLER, [product_id])
  await call(tokenOf('buyer', BUYER), 'POST', `/sellers/${SELLER}/avails/requests`, {
    product_id,
    period: { grain: 'week', start: '2028-W30' },
    note: 'For the summer campaign',
  })
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/avails')
  const asks = page.getByLabel('Asks of buyers')
  await asks.getByRole('button', { name: product_id }).click()
  await expect(page.getByLabel('Avail', { exact: true }).getByText('nothing published').first()).toBeVisible()
  await page.getByLabel('Spots left').fill('20')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Published', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: `${product_id} 2028-W30` })).toBeHidden()
})

function cell(page: Page, product: string) {
  return page.getByRole('gridcell', { name: `${product} ${WEEK}` })
}

/** A product with so many spots left in the week. */
async function ownProduct(available: number): Promise<string> {
  const product_id = freshName('avail')
  await ownProducts(SELLER, [product_id])
  await publish(product_id, available)
  return product_id
}

async function publish(product_id: string, available: number): Promise<void> {
  const avail = { product_id, period: { grain: 'week', start: WEEK }, state: 'available', sellout_level: 0.25, spots: { available } }
  await call(token(), 'PUT', '/me/avails', { avails: [avail] })
}

async function published(product_id: string): Promise<object[]> {
  return (await call<{ avails: object[] }>(token(), 'GET', `/me/avails?product_id=${product_id}`)).avails
}
