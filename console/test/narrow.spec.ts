import { expect, type Page, test } from '@playwright/test'
import { gridRead } from './support/buying.ts'
import { BUYER, OPERATOR, SELLER } from './support/marketplace.ts'
import { signedIn } from './support/signedIn.ts'

/** A page on a phone. */
async function onPhone(browser: Parameters<typeof signedIn>[0], persona: string): Promise<Page> {
  const { page } = await signedIn(browser, persona)
  await page.setViewportSize({ width: 390, height: 844 })
  return page
}

for (const { persona, paths } of [
  { persona: SELLER, paths: ['/queue', '/orders', '/avails', '/publish/rates', '/relations', '/settlement', '/profile'] },
  { persona: BUYER, paths: ['/find', '/basket', '/orders', '/settlement?view=credit', '/webhooks'] },
  { persona: OPERATOR, paths: ['/ops', '/ops?view=connections'] },
]) {
  test(`on a phone the pages of ${persona} are no wider than it, and where one is shows in one row of places`, async ({ browser }) => {
    test.slow()
    const page = await onPhone(browser, persona)
    for (const path of paths) {
      await page.goto(`/console${path}`)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      const here = page.getByRole('navigation', { name: 'Console' }).locator('a[aria-current=page]')
      await expect(here).toBeInViewport({ ratio: 0.7 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
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
