import { expect, type Locator, type Page } from '@playwright/test'
import { gridRead } from './support/buying.ts'
import { BUYER, OPERATOR, orderInReview, SELLER } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A page on a phone. */
async function onPhone(browser: Parameters<typeof signedIn>[0], persona: string): Promise<Page> {
  const { page } = await signedIn(browser, persona)
  await page.setViewportSize({ width: 390, height: 844 })
  return page
}

type Ready = (page: Page) => Locator

const grid: Ready = (page) => page.getByRole('grid').first()

/** The places of each persona, with what shows once their data is there. */
const PLACES: readonly { readonly persona: string; readonly places: Readonly<Record<string, Ready>> }[] = [
  {
    persona: SELLER,
    places: {
      '/queue': grid,
      '/orders': grid,
      '/avails': (page) => page.getByRole('grid', { name: 'Avails by week' }),
      '/publish/rates': (page) => page.getByText('Paste rates from a spreadsheet'),
      '/relations': (page) => page.getByRole('grid').or(page.getByText('No agreement yet')).first(),
      '/settlement': (page) => page.getByRole('grid').or(page.getByText('No invoices yet')).first(),
      '/profile': (page) => page.getByRole('heading', { name: /^Level/ }),
    },
  },
  {
    persona: BUYER,
    places: {
      [`/find?seller=${SELLER}`]: (page) => page.getByLabel(/^Units of /).first(),
      '/basket': (page) => page.getByText('Every basket is empty'),
      '/orders': grid,
      '/settlement?view=credit': (page) => page.getByRole('table').or(page.getByText('No agreements')).first(),
      '/webhooks': (page) => page.getByRole('button', { name: 'Register an endpoint' }),
    },
  },
  {
    persona: OPERATOR,
    places: {
      '/ops': (page) => page.getByText('Order mail'),
      '/ops?view=connections': (page) => page.getByText('Order mail'),
    },
  },
]

for (const { persona, places } of PLACES) {
  test(`on a phone the pages of ${persona} are no wider than it, and where one is shows in one row of places`, async ({ browser }) => {
    test.slow()
    await orderInReview()
    const page = await onPhone(browser, persona)
    for (const [path, ready] of Object.entries(places)) {
      await page.goto(`/console${path}`)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(ready(page)).toBeVisible()
      const here = page.getByRole('navigation', { name: 'Console' }).locator('a[aria-current=page]')
      await expect(here).toBeInViewport({ ratio: 0.7 })
      await polled(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      const [bar, link] = [await page.getByRole('navigation', { name: 'Console' }).boundingBox(), await here.boundingBox()]
      expect((bar?.height ?? 0) / (link?.height ?? 1)).toBeLessThan(4)
    }
  })
}

test('on a phone the columns that a buyer compares are as wide as their words', async ({ browser }) => {
  const page = await onPhone(browser, BUYER)
  await page.goto(`/console/find?seller=${SELLER}`)
  await gridRead(page)
  const widths = await page.getByRole('columnheader').evaluateAll((heads) => heads.slice(1).map((head) => head.clientWidth))
  expect(widths.length).toBeGreaterThan(1)
  for (const width of widths) expect(width).toBeGreaterThanOrEqual(140)
})

test('on a phone an order on paper is as wide as its tables, which scroll with it', async ({ browser }) => {
  const { order_id } = await orderInReview()
  const page = await onPhone(browser, BUYER)
  await page.goto(`/console/orders/${order_id}/print`)
  await expect(page.getByRole('heading', { name: 'Totals and terms' })).toBeVisible()
  await expect(page.getByRole('table').first()).toBeVisible()
  const { paper, tables } = await page.getByRole('article', { name: 'The order on paper' }).evaluate(async (article) => {
    await document.fonts.ready
    const right = (element: Element) => element.getBoundingClientRect().right
    return { paper: right(article), tables: [...article.querySelectorAll('table')].map(right) }
  })
  expect(tables.length).toBeGreaterThan(0)
  expect(Math.max(...tables)).toBeLessThanOrEqual(paper)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
