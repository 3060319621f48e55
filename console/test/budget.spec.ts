import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { documentOrder, nobodys, proposalOrder, SELLER } from './support/marketplace.ts'
import { asBuyer, asOperator, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** In bytes as they are sent. */
const FIRST_LOAD = { js: 210_000, css: 40_000 }
const SCREEN = 42_000

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

test('every screen stays within its budget, over what the page loads wherever it is opened', async ({ browser }) => {
  test.setTimeout(300_000)
  const measured = new Set<string>()
  const over: string[] = []
  for (const { signIn, paths } of await everyScreen()) {
    const { page } = await signIn(browser)
    const alone = await pageAlone(page)
    for (const path of paths) {
      const added = (await filesOf(page, `/console/${path}`, '.js')).filter((file) => !alone.has(file.path))
      for (const file of added) measured.add(nameOf(file.path))
      const bytes = sum(added)
      test.info().annotations.push({ type: 'bytes', description: `${path.replaceAll(/[a-z]+_\w{26}/g, '$id')}: ${bytes}` })
      expect(bytes, path).toBeGreaterThan(0)
      if (bytes > SCREEN) over.push(`${path}: ${bytes}`)
    }
    await page.context().close()
  }
  expect(over).toEqual([])
  expect(screensOfRoutes().filter((name) => !measured.has(name))).toEqual([])
})

/** Every screen by who sees it. What exists does not matter: the files are those of the screen. */
async function everyScreen() {
  const [proposal, document] = [await proposalOrder(), await documentOrder()]
  return [
    {
      signIn: asSeller,
      paths: [
        ...['queue', 'orders', 'publish/catalog', 'publish/rates', 'publish/avails', 'cards', 'cards/none', 'avails', 'files', 'rules'],
        ...['relations', 'relations?show=buyers', 'profile', 'profile?show=audit', 'webhooks', `webhooks/${nobodys('we')}`],
        ...['', '/plan'].map((part) => `orders/${proposal.order_id}${part}`),
        ...['/document', '/makegoods', '/print'].map((part) => `orders/${document.order_id}${part}`),
        ...['settlement', 'settlement?view=variances', 'settlement?view=makegoods', 'settlement?view=credit'],
        ...[`settlement/invoices/${nobodys('inv')}`, `settlement/orders/${proposal.order_id}`],
      ],
    },
    {
      signIn: asBuyer,
      paths: [`orders/${document.order_id}/document`, `find?seller=${SELLER}`, `basket/${SELLER}`, 'basket', 'creatives'],
    },
    {
      signIn: asOperator,
      paths: [...['stuck', 'deliveries', 'drops', 'connections'].map((view) => `ops?view=${view}`), `ops/orders/${proposal.order_id}`],
    },
  ]
}

/** The files that the page names itself; what comes beside them belongs to a screen. */
async function pageAlone(page: Page): Promise<ReadonlySet<string>> {
  const html = await (await page.request.get('/console/')).text()
  const named = html.match(/\/console\/assets\/[^"]+\.js/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  return new Set(named)
}

/** `Queue` of `/console/assets/Queue-C2iOq7Z8.js`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/-[\w-]{8}\.js$/, '')
}

/** The screens that routes load, by name. */
function screensOfRoutes(): string[] {
  const folder = new URL('../src/routes/', import.meta.url)
  const named = (file: string) => readFileSync(new URL(file, folder), 'utf8').match(/(?<=import\('\.\.\/screens\/\w+\/)\w+/g) ?? []
  return readdirSync(folder).flatMap(named)
}

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
