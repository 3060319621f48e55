import { expect, type Page, test } from '@playwright/test'
import { documentOrder, proposalOrder, SELLER } from './support/marketplace.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'

/** In bytes as they are sent. */
const FIRST_LOAD = { js: 210_000, css: 40_000 }
const SCREEN = 40_000

interface File {
  readonly path: string
  readonly bytes: number
}

/** The files that a page has loaded of itself. */
async function filesOf(page: Page, path: string, end: string): Promise<File[]> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
      path: new URL(name).pathname,
      bytes: encodedBodySize,
    })),
  )
  return loaded.filter((file) => file.path.endsWith(end))
}

const sum = (files: readonly File[]) => files.reduce((bytes, file) => bytes + file.bytes, 0)

test('the first load stays within its budget', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const js = sum(await filesOf(page, '/console/orders', '.js'))
  const css = sum(await filesOf(page, '/console/orders', '.css'))
  test.info().annotations.push({ type: 'bytes', description: `${js} of JS and ${css} of CSS` })
  expect(js).toBeGreaterThan(100_000)
  expect(css).toBeGreaterThan(10_000)
  expect(js).toBeLessThanOrEqual(FIRST_LOAD.js)
  expect(css).toBeLessThanOrEqual(FIRST_LOAD.css)
})

test('what a screen adds to the page that was loaded first stays within its budget', async ({ browser }) => {
  test.slow()
  const [proposal, document] = [await proposalOrder(), await documentOrder()]
  const screens = [
    {
      signIn: asSeller,
      paths: [
        ...['queue', 'publish/rates', 'cards', 'avails', 'files', 'rules', 'relations', 'profile', 'webhooks', 'settlement'],
        `orders/${proposal.order_id}`,
        `orders/${proposal.order_id}/plan`,
        `orders/${document.order_id}/document`,
        `orders/${document.order_id}/print`,
      ],
    },
    { signIn: asBuyer, paths: [`find?seller=${SELLER}`, `basket/${SELLER}`, 'basket', 'creatives'] },
  ]
  const over: string[] = []
  for (const { signIn, paths } of screens) {
    const { page } = await signIn(browser)
    const first = new Set((await filesOf(page, '/console/orders', '.js')).map((file) => file.path))
    for (const path of paths) {
      const bytes = sum((await filesOf(page, `/console/${path}`, '.js')).filter((file) => !first.has(file.path)))
      test.info().annotations.push({ type: 'bytes', description: `${path.replaceAll(/ord_\w+/g, '$id')}: ${bytes}` })
      expect(bytes, path).toBeGreaterThan(0)
      if (bytes > SCREEN) over.push(`${path}: ${bytes}`)
    }
    await page.context().close()
  }
  expect(over).toEqual([])
})

test('a page that is older than the last build is loaded again, once', async ({ browser }) => {
  const { page } = await asSeller(browser)
  let isGone = true
  await page.route(/\/assets\/Rules-[^/]+\.js$/, (route) => (isGone ? route.fulfill({ status: 404, body: '' }) : route.continue()))
  await page.goto('/console/orders')
  const link = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Rules' })
  await expect(link).toBeVisible()
  const again = page.waitForEvent('load')
  await link.hover()
  await again
  await link.click()
  await expect(page.getByRole('heading', { name: 'This page cannot be shown' })).toBeVisible()
  isGone = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Rules', level: 1 })).toBeVisible()
})
