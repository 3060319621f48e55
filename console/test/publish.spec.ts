import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, freshName, tokenOf } from './support/marketplace.ts'
import { asText, ownProducts, paste, RATE_HEADER, rateRows, weeks } from './support/sheet.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

const SELLER = 'lakeshore-28'
const token = () => tokenOf('seller', SELLER)

const grid = (page: Page) => page.getByRole('grid', { name: 'Rates to publish' })
const send = (page: Page) => page.getByRole('button', { name: /^Publish [\d,]+/ })

test('10,000 rows are pasted, three faults corrected by keys, and all is published', async ({ browser }) => {
  test.setTimeout(180_000)
  const products = Array.from({ length: 20 }, (_, index) => `sheet-${index + 10}`)
  await ownProducts(SELLER, products)
  const rows = rateRows(products, weeks(2028, 50), [5, 10, 15, 20, 25, 30, 35, 40, 45, 50], (at) => `${1_000 + at}.00`)
  expect(rows).toHaveLength(10_000)
  const faulty = rows.map((row) => [...row])
  ;(faulty[6] as string[])[3] = '39x'
  ;(faulty[5_000] as string[])[0] = 'sports-prim'
  ;(faulty[9_998] as string[])[1] = '2028-53'
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/publish/rates')
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  await paste(page, asText([RATE_HEADER, ...faulty]))
  await expect(page.getByText('3 faults')).toBeVisible()
  await expect(send(page)).toHaveText(/Publish 9,997 of 10,000 rows/)
  await expect(send(page)).toBeDisabled()
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('n')
  await expect(page.getByText(/! Row 7, Rate/)).toBeVisible()
  await page.keyboard.type('1010')
  await page.keyboard.press('Enter')
  await page.keyboard.press('n')
  await expect(page.getByText(/! Row 5001, Product: sports-prim is not a product/)).toBeVisible()
  await page.keyboard.type(products[10] as string)
  await page.keyboard.press('Enter')
  await page.keyboard.press('n')
  await expect(page.getByText(/! Row 9999, Week/)).toBeVisible()
  await page.keyboard.type('2028-W50')
  await page.keyboard.press('Enter')
  await expect(send(page)).toHaveText(/Publish 10,000 rows/)
  await expect(page.getByLabel('Effect').getByText('added')).toBeVisible()
  await expect(send(page)).toBeEnabled()
  const commit = await page.getByLabel('Card').inputValue()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Published 10,000 rows')).toBeVisible()
  type Entry = { product_id: string; week: string; spot_length: number; gross_rate_unit: number }
  const read = (cursor: string) =>
    call<{ entries: Entry[]; next_cursor: string | null }>(token(), 'GET', `/me/rate-cards/${commit}?limit=5000${cursor}`)
  const first = await read('')
  const { entries, next_cursor } = await read(`&cursor=${first.next_cursor}`)
  expect([first.entries.length, entries.length, next_cursor]).toEqual([5_000, 5_000, null])
  const published = new Map([...first.entries, ...entries].map((one) => [`${one.product_id} ${one.week} ${one.spot_length}`, one]))
  for (const [at, rate] of [
    [6, 1_010],
    [5_000, 11_000],
    [9_998, 20_498],
  ] as const) {
    const [product, week, length] = rows[at] as string[]
    expect(published.get(`${product} ${week} ${length}`)).toMatchObject({ gross_rate_unit: rate })
  }
})

test('rows with faults are left out only when the seller says so, and stay', async ({ browser }) => {
  await ownProducts(SELLER, ['sheet-left'])
  const [good, bad, unpriced] = rateRows(['sheet-left'], weeks(2028, 3), [30], () => '$4,200.50') as [string[], string[], string[]]
  bad[1] = '2028-W99'
  unpriced[3] = ''
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/publish/rates')
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  await paste(page, asText([RATE_HEADER, good, bad, unpriced]))
  await expect(send(page)).toHaveText(/Publish 1 of 3 rows/)
  await expect(send(page)).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByLabel('Leave out the 2 rows with faults')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(send(page)).toBeEnabled()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('rates-faults.csv')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Published 1 row')).toBeVisible()
  await expect(grid(page).getByRole('gridcell', { name: '2028-W99' })).toBeVisible()
  await page.reload()
  await expect(grid(page).getByRole('gridcell', { name: '2028-W99' })).toBeVisible()
})

for (const kind of ['catalog', 'avails']) {
  test(`what is published is loaded as it is: ${kind}`, async ({ browser }) => {
    const { page } = await signedIn(browser, 'ktvl-10')
    await page.goto(`/console/publish/${kind}`)
    await page.getByRole('button', { name: 'Start from what is published' }).click()
    await expect(page.getByText('This is already published; nothing would change.')).toBeVisible()
    await expect(page.getByText(/\d+ faults?$/)).toBeHidden()
  })
}

test('what was published meanwhile is shown beside what was seen, and nothing is sent', async ({ browser }) => {
  const product_id = freshName('sheet-stale')
  await ownProducts(SELLER, [product_id])
  const avail = (available: number) => ({
    avails: [{ product_id, period: { grain: 'week', start: '2028-W10' }, state: 'available', spots: { available } }],
  })
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/publish/avails')
  await expect(page.getByText('Paste avails from a spreadsheet')).toBeVisible()
  await paste(
    page,
    asText([
      ['Product', 'Period', 'State', 'Spots'],
      [product_id, '2028-W10', 'available', '12'],
    ]),
  )
  await expect(send(page)).toBeEnabled()
  await expect(page.getByLabel('Changes').getByText('new, 12 left')).toBeVisible()
  await call(token(), 'PUT', '/me/avails', avail(40))
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('What is published has changed since you looked')).toBeVisible()
  await expect(page.getByLabel('Changes').getByText('spots 40 → 12')).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await expect(send(page)).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Published 1 row')).toBeVisible()
})

test('a reply that is lost is asked for again with the same bytes', async ({ browser }) => {
  await ownProducts(SELLER, ['sheet-lost'])
  const { page } = await signedIn(browser, SELLER)
  const bodies: (string | null)[] = []
  await page.route('**/v1/me/rate-cards', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    bodies.push(route.request().postData())
    if (bodies.length > 1) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.goto('/console/publish/rates')
  await expect(page.getByText('Paste rates from a spreadsheet')).toBeVisible()
  await paste(page, asText([RATE_HEADER, ...rateRows(['sheet-lost'], weeks(2028, 1), [30], () => '100')]))
  await expect(send(page)).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Published 1 row')).toBeVisible()
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).toBe(bodies[0])
})
