import { expect } from '@playwright/test'
import { call, freshName, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { ownProducts } from './support/sheet.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

const SELLER = 'lakeshore-28'

test('two cards are compared, and a new one begins with the rows of one of them', async ({ browser }) => {
  const name = freshName('card')
  await ownProducts(SELLER, [name])
  await publish(`${name}-1`, [entry(name, '2028-W01', 100), entry(name, '2028-W02', 200), entry(name, '2028-W03', 300)])
  await publish(`${name}-2`, [entry(name, '2028-W01', 110), entry(name, '2028-W02', 200), entry(name, '2028-W04', 400)])
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/cards')
  await expect(page.getByRole('grid', { name: 'Rate cards' }).getByRole('row').nth(1)).toContainText(`${name}-2`)
  await page.getByRole('link', { name: `${name}-2` }).click()
  const differences = page.getByRole('grid', { name: 'Differences' })
  await expect(page.getByText('1 changed')).toBeVisible()
  await expect(page.getByText('1 unchanged')).toBeVisible()
  await expect(differences.getByRole('row').filter({ hasText: '2028-W01' })).toContainText('USD 100.00USD 110.00+10%')
  await expect(differences.getByRole('row').filter({ hasText: '2028-W03' })).toContainText('not in it')
  await page.goBack()
  await expect(page.getByRole('grid', { name: 'Rate cards' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.getByText('1 added').click()
  await expect(differences.getByRole('row')).toHaveCount(2)
  await page.getByLabel('Compared with').selectOption(`${name}-1`)
  await expect(page).toHaveURL(new RegExp(`against=${name}-1`))
  await page.getByRole('button', { name: 'All its prices' }).click()
  await expect(page.getByRole('grid', { name: 'Prices' }).getByRole('row')).toHaveCount(4)
  await page.getByRole('link', { name: 'New card from it' }).click()
  const sheet = page.getByRole('grid', { name: 'Rates to publish' })
  await expect(sheet.getByRole('gridcell', { name: '2028-W04' })).toBeVisible()
  await expect(page.getByLabel('Effect').getByText('unchanged', { exact: true })).toBeVisible()
  await expect(page.getByText('This is already published; nothing would change.')).toBeVisible()
})

test('a price that is the same in every week is one row of a new card', async ({ browser }) => {
  const name = freshName('span')
  await ownProducts(SELLER, [name])
  await publish(name, [entry(name, undefined, 100)])
  const { page } = await signedIn(browser, SELLER)
  await page.goto(`/console/publish/rates?from=${name}`)
  const sheet = page.getByRole('grid', { name: 'Rates to publish' })
  await expect(sheet.getByRole('gridcell', { name: name })).toHaveCount(1)
  await expect(page.getByLabel('From')).toHaveValue('2028-01-03')
  await expect(page.getByText('This is already published; nothing would change.')).toBeVisible()
})

test('a list on paper has every row that was read, and after it those in view again', async ({ browser }) => {
  const name = freshName('paper')
  const products = Array.from({ length: 20 }, (_, at) => `${name}-${at}`)
  await ownProducts(SELLER, products)
  const entries = ['2028-W01', '2028-W02', '2028-W03', '2028-W04'].flatMap((week) => products.map((product) => entry(product, week, 100)))
  await publish(name, entries)
  const { page } = await signedIn(browser, SELLER)
  await page.goto(`/console/cards/${name}?view=prices`)
  const grid = page.getByRole('grid', { name: 'Prices' })
  const rows = grid.getByRole('row')
  await expect(rows.nth(20)).toBeVisible()
  await grid.evaluate((list) => list.scrollTo({ top: 800 }))
  const first = () => rows.nth(1).getAttribute('aria-rowindex')
  await polled(first).not.toBe('2')
  const inView = { top: 800, first: await first(), count: await rows.count() }
  expect(inView.count).toBeLessThan(80)
  await grid.evaluate((list) =>
    window.addEventListener('beforeprint', () => {
      const boxes = [...list.querySelectorAll('[role=row]')].map((row) => row.getBoundingClientRect())
      const areApart = boxes.every(({ top }, at) => at < 2 || top > (boxes[at - 1]?.bottom ?? 0) - 1)
      Object.assign(window, { onPaper: { count: boxes.length, areApart } })
    }),
  )
  const pdf = await page.pdf({ format: 'Letter' })
  expect(await page.evaluate(() => (window as unknown as { onPaper?: object }).onPaper)).toEqual({ count: 81, areApart: true })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1)
  const now = async () => ({ top: await grid.evaluate((list) => list.scrollTop), first: await first(), count: await rows.count() })
  await polled(now).toEqual(inView)
})

function entry(product_id: string, week: string | undefined, price: number): object {
  const kind = { market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible' }
  return { product_id, ...(week && { week }), spot_length: 30, gross_rate_unit: price, currency: 'USD', ...kind }
}

async function publish(commit: string, entries: readonly object[]): Promise<void> {
  const effective = { start: '2028-01-03', end: '2028-01-30' }
  await call(tokenOf('seller', SELLER), 'PUT', '/me/rate-cards', { commit, effective, entries })
}
