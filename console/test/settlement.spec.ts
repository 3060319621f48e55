import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { COPY, catalogOf, lastMonth, orderOfMonth, sentOf } from '../../src/local/demo/lastMonth.ts'
import { accessFaultsInBothSchemes, untoldFaults } from './support/accessFaults.ts'
import { call, credentials, freshName, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { numbers } from './support/random.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

const SELLER = 'lakeshore-28'
const BUYER = 'harbor-and-vale'
const month = lastMonth(new Date().toISOString())
let orderId = ''
const agreement_id = freshName('agr-console')

/** An order of the last broadcast month, invoiced, with a log and an invoice of its seller, which vary from it in every way once. */
test.beforeAll(async () => {
  test.setTimeout(120_000)
  const [seller, buyer] = [tokenOf('seller', SELLER), tokenOf('buyer', BUYER)]
  const year = new Date().getUTCFullYear()
  await call(seller, 'PUT', `/me/agreements/${agreement_id}`, {
    buyer_entity: BUYER,
    effective: { start: `${year - 1}-01-01`, end: `${year + 1}-12-31` },
    settlement_mode: 'cleared',
    credit_limit: 100_000,
    commitment_gross: 200_000,
    agency_commission_pct: 15,
  })
  const { catalog, rateCard, avails } = catalogOf(month)
  await call(seller, 'PUT', '/me/catalog', catalog)
  const { commit: rate_version } = await call<{ commit: string }>(seller, 'PUT', '/me/rate-cards', rateCard)
  await call(seller, 'PUT', '/me/avails', avails)
  const read = await call<{ avails: { rates: { locked_rate_id: string }[] }[] }>(
    buyer,
    'GET',
    `/sellers/${SELLER}/avails?weeks=${month.week}&agreement=${agreement_id}`,
  )
  const { creative_id } = await call<{ creative_id: string }>(buyer, 'POST', '/creatives', COPY)
  const body = orderOfMonth(month, { seller: SELLER, rate_version, agreement_id, creative_id })
  const locked_rate_id = read.avails[0]?.rates[0]?.locked_rate_id
  const line_items = (body.line_items as { rate: object }[]).map((line) => ({ ...line, rate: { ...line.rate, locked_rate_id } }))
  const order = { ...body, external_order_id: freshName('aired'), line_items }
  orderId = (await call<{ order_id: string }>(buyer, 'POST', '/orders', order)).order_id
  const path = `/me/orders/${orderId}`
  await polled(async () => (await call<{ status: string }>(seller, 'GET', path)).status, 30_000).toBe('seller_review')
  await call(seller, 'POST', `${path}/decide`, { decision: 'approve', actor: 'Marcus Bell' })
  const invoices = async () => (await call<{ items: unknown[] }>(buyer, 'GET', `/settlement/invoices?order_id=${orderId}`)).items.length
  await polled(invoices, 30_000).toBe(1)
  const { line_items: lines } = await call<{ line_items: { unit_id: string }[] }>(seller, 'GET', path)
  const { log, invoice } = sentOf(month, orderId, lines[0]?.unit_id ?? '')
  await drop(seller, { 'log.csv': csvOf(log), 'invoice.csv': csvOf(invoice) })
  // One of the log and one of the invoice, which are taken in one after the other.
  const codes = async () =>
    (await call<{ lines: { codes: string[] }[] }>(buyer, 'GET', `/orders/${orderId}/reconciliation`)).lines.flatMap((line) => line.codes)
  await polled(codes, 60_000).toEqual(expect.arrayContaining(['RUN_NOT_ORDERED', 'OUT_OF_DAYPART', 'RATE_MISMATCH']))
})

async function drop(token: string, files: Readonly<Record<string, string>>): Promise<void> {
  const drop_id = freshName('posts')
  for (const [name, text] of Object.entries(files)) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' }
    const reply = await fetch(`${credentials.base_url}/me/files/${drop_id}/${name}`, { method: 'PUT', headers, body: text })
    expect(reply.status).toBe(201)
  }
  const listed = Object.entries(files).map(([filename, text]) => ({
    filename,
    type: 'delivery_posts',
    format: 'csv',
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  await call(token, 'POST', '/me/files/manifest', { schema_version: '1.0', drop_id, files: listed })
}

function csvOf(rows: readonly object[]): string {
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => head.map((name) => (row as Record<string, unknown>)[name] ?? '').join(','))
  return [head.join(','), ...lines].join('\n')
}

const card = (page: Page, name: RegExp) => page.getByRole('region', { name })

test('a buyer disputes a variance and its seller credits it, in two browsers', async ({ browser }) => {
  const [{ page: buyer }, { page: seller }] = [await signedIn(browser, BUYER), await signedIn(browser, SELLER)]
  await buyer.goto(`/console/settlement?view=variances&code=OUT_OF_DAYPART&month=${month.month}`)
  await buyer.getByRole('row', { name: new RegExp(orderId) }).dblclick()
  await expect(buyer).toHaveURL(new RegExp(`/settlement/orders/${orderId}`))
  await expect(card(buyer, /^out of daypart, open/)).toContainText('Aired')
  expect(await accessFaultsInBothSchemes(buyer)).toEqual([])
  await card(buyer, /^out of daypart, open/)
    .getByLabel('Note')
    .fill('Too late')
  await card(buyer, /^out of daypart, open/)
    .getByRole('button', { name: 'Dispute' })
    .click()
  await expect(card(buyer, /^out of daypart, disputed/)).toContainText('The seller credits or upholds it.')

  await seller.goto(`/console/settlement/orders/${orderId}?code=OUT_OF_DAYPART`)
  await expect(card(seller, /^out of daypart, disputed/)).toContainText('"Too late"')
  await card(seller, /^out of daypart, disputed/)
    .getByLabel(/^Credit in USD/)
    .fill('99999')
  await card(seller, /^out of daypart, disputed/)
    .getByRole('button', { name: 'Credit' })
    .click()
  await expect(seller.getByRole('dialog')).toContainText('is issued to the buyer at once')
  await seller.getByRole('dialog').getByRole('button', { name: 'Credit' }).click()
  await expect(seller.getByRole('alert')).toContainText('INVALID_INPUT')
  await expect(card(seller, /^out of daypart, disputed/).getByLabel(/^Credit in USD/)).toHaveAttribute('aria-invalid', 'true')
  expect(await untoldFaults(seller)).toEqual([])
  await card(seller, /^out of daypart, disputed/)
    .getByLabel(/^Credit in USD/)
    .fill('')
  await card(seller, /^out of daypart, disputed/)
    .getByRole('button', { name: 'Credit' })
    .click()
  await expect(seller.getByRole('dialog')).toContainText('is issued to the buyer at once')
  await seller.getByRole('dialog').getByRole('button', { name: 'Credit' }).click()
  await expect(card(seller, /^out of daypart, credited/)).toContainText('credited USD 4,200.00')

  await buyer.reload()
  await card(buyer, /^out of daypart, credited/)
    .getByRole('button', { name: 'Accept' })
    .click()
  await expect(card(buyer, /^out of daypart, accepted/)).toContainText('It is settled.')
})

test('a line of a reconciliation is named by what it sells, and the cell that was open is not replaced by another', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  const { line_items } = await call<{ line_items: { product_title: string }[] }>(tokenOf('buyer', BUYER), 'GET', `/orders/${orderId}`)
  await page.goto(`/console/settlement/orders/${orderId}`)
  await expect(page.getByRole('rowheader', { name: line_items[0]?.product_title ?? '' }).first()).toBeVisible()
  await page.goto(`/console/settlement/orders/${orderId}?cell=${encodeURIComponent('unit_gone|SOME|2026-01-01')}`)
  await expect(page.getByRole('complementary', { name: 'The cell' })).toContainText('New logs or invoices have ended')
  await page.keyboard.press('n')
  await expect(page.getByRole('complementary', { name: 'The cell' }).getByRole('button').first()).toBeVisible()
})

test('spots are pictured by week as booked, aired and billed, and a bar narrows the grid', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  await page.goto(`/console/settlement/orders/${orderId}`)
  const picture = page.getByRole('figure', { name: /^Spots by week/ })
  await expect(picture.getByRole('button').first()).toHaveAccessibleName(
    /\d{4}-W\d\d: \d+ spots? booked, \d+ spots? aired, \d+ spots? billed/,
  )
  await picture.getByRole('button').first().click()
  await expect(page).toHaveURL(/week=\d{4}-W\d\d/)
  await expect(picture.getByRole('button').first()).toHaveAttribute('aria-pressed', 'true')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
})

test('what is not due yet is no variance, and the most money comes first', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  await page.route(/\/v1\/settlement\/reconciliation\?/, async (route) => {
    const reply = (await (await route.fetch()).json()) as { items: { order_id: string; totals: object }[] }
    const [one] = reply.items
    const like = (order_id: string, codes: string[], totals: object) => ({ ...one, order_id, codes, totals: { ...one?.totals, ...totals } })
    const items = [
      like('ord_small', ['MISSED'], { variance_gross: -10 }),
      like('ord_future', [], { variance_gross: -90_000, open: 4, billed: 0 }),
      like('ord_large', ['RATE_MISMATCH'], { variance_gross: 700 }),
    ]
    await route.fulfill({ json: { ...reply, items, next_cursor: null } })
  })
  await page.goto('/console/settlement?view=variances')
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'ord_' })
  await expect(rows).toHaveText([/ord_large.*700\.00/, /ord_small.*-10\.00/, /ord_future.*not due yet/])
  await expect(page.getByText('90,000')).toBeHidden()
})

test('of two people of the buyer the slower one reads what the variance is by now', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  await page.goto(`/console/settlement/orders/${orderId}?code=RUN_NOT_ORDERED`)
  await expect(card(page, /^run not ordered, open/)).toBeVisible()
  const buyer = tokenOf('buyer', BUYER)
  const { lines } = await call<{ lines: { variances: { variance_id: string }[] }[] }>(
    buyer,
    'GET',
    `/orders/${orderId}/reconciliation?code=RUN_NOT_ORDERED`,
  )
  await call(buyer, 'POST', `/orders/${orderId}/reconciliation/variances/${lines[0]?.variances[0]?.variance_id}`, { action: 'accept' })
  await card(page, /^run not ordered, open/)
    .getByRole('button', { name: 'Dispute' })
    .click()
  await expect(page.getByRole('alert')).toContainText('INVALID_STATE')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await expect(card(page, /^run not ordered, accepted/)).toBeVisible()
})

/** Clicks what is at the place of a button after a pause, by the clock of the page, and returns what the button said before. */
function clickWhereItWas(button: Locator, pause: number): Promise<string> {
  return button.evaluate(async (element, wait) => {
    const said = element.textContent ?? ''
    const { left, top, width, height } = element.getBoundingClientRect()
    await new Promise((done) => setTimeout(done, wait))
    document
      .elementFromPoint(left + width / 2, top + height / 2)
      ?.closest('button')
      ?.click()
    return said
  }, pause)
}

test('whatever its seller does to a variance, a click does what its button said when the hand began to move', async ({ browser }) => {
  test.slow()
  const random = numbers(5)
  const [buyer, seller] = [tokenOf('buyer', BUYER), tokenOf('seller', SELLER)]
  const path = `/orders/${orderId}/reconciliation`
  const { lines } = await call<{ lines: { variances: { variance_id: string; code: string }[] }[] }>(buyer, 'GET', `${path}?code=DUPLICATE`)
  const id = lines.flatMap(({ variances }) => variances).find(({ code }) => code === 'DUPLICATE')?.variance_id
  const act = (action: string) => call(seller, 'POST', `/me${path}/variances/${id}`, { action }).catch(() => undefined)
  const { page } = await signedIn(browser, BUYER)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/variances/${id}`)) sent.push((request.postDataJSON() as { action: string }).action)
  })
  await page.goto(`/console/settlement/orders/${orderId}?code=DUPLICATE`)
  const first = card(page, /^duplicate/).getByRole('button')
  await expect(first.first()).toBeEnabled()
  const meant: string[] = []
  for (let round = 0; round < 6; round += 1) {
    const colleague = page.waitForTimeout(random() * 900).then(() => act(random() < 0.5 ? 'uphold' : 'credit'))
    await page.waitForTimeout(random() * 900)
    const before = sent.length
    if ((await first.count()) > 0) meant.push((await clickWhereItWas(first.first(), random() * 380)).toLowerCase())
    await page.waitForTimeout(300)
    for (const action of sent.slice(before)) expect(action).toBe(meant.at(-1))
    await colleague
  }
  expect(sent.length).toBeGreaterThan(0)
})

test('a dispute whose reply is lost is sent again under its key; another click has a key of its own', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  const sent: { key: string | undefined; body: string | null }[] = []
  await page.route('**/reconciliation/variances/*', async (route) => {
    const request = route.request()
    sent.push({ key: request.headers()['idempotency-key'], body: request.postData() })
    if (sent.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.goto(`/console/settlement/orders/${orderId}?code=RATE_MISMATCH`)
  await card(page, /^rate mismatch, open/)
    .getByRole('button', { name: 'Dispute' })
    .click()
  await expect(card(page, /^rate mismatch, disputed/)).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(sent[1]).toEqual(sent[0])
  const { lines } = await call<{ lines: { variances: { variance_id: string }[] }[] }>(
    tokenOf('seller', SELLER),
    'GET',
    `/me/orders/${orderId}/reconciliation?code=RATE_MISMATCH`,
  )
  const path = `/me/orders/${orderId}/reconciliation/variances/${lines[0]?.variances[0]?.variance_id}`
  await call(tokenOf('seller', SELLER), 'POST', path, { action: 'uphold' })
  await page.reload()
  await card(page, /^rate mismatch, upheld/)
    .getByRole('button', { name: 'Dispute' })
    .click()
  await expect(card(page, /^rate mismatch, disputed/)).toBeVisible()
  expect(sent).toHaveLength(3)
  expect(sent[2]?.key).not.toBe(sent[0]?.key)
})

test('a statement has the totals of the API, and what is shown is saved as CSV', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  await page.goto('/console/settlement')
  await expect(page.getByRole('grid', { name: 'Invoices' })).toBeVisible()
  await page.getByLabel('Agreement').selectOption(agreement_id)
  await page.getByLabel('Broadcast month').fill(month.month)
  await expect(page.getByLabel(/^Statement of/)).toContainText('USD')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()])
  const text = readFileSync(await saved.path(), 'utf8')
  expect(text.split('\r\n')[0]).toContain('invoice_number,kind,broadcast_month')
  expect(text).toContain(month.month)
  await page.getByRole('grid', { name: 'Invoices' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^(Invoice|Credit note) \d{4}-\d{5}/ })).toBeVisible()
  await expect(page.getByLabel('Totals')).toContainText('USD')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
})

test('what is saved of a reconciliation says the order, the product, the state and the amount', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  await page.goto(`/console/settlement/orders/${orderId}`)
  await expect(page.getByRole('complementary', { name: 'The cell' })).toBeVisible()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()])
  const [head = '', ...rows] = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n')
  const at = (name: string) => head.split(',').indexOf(name)
  const { line_items } = await call<{ line_items: { product_title: string }[] }>(tokenOf('buyer', BUYER), 'GET', `/orders/${orderId}`)
  const ordered = rows.map((row) => row.split(',')).filter((row) => row[at('unit_id')] !== '')
  expect(ordered.length).toBeGreaterThan(0)
  for (const row of ordered) {
    expect([row[at('order_id')], row[at('product_title')], row[at('currency')]]).toEqual([orderId, line_items[0]?.product_title, 'USD'])
    expect(row[at('codes')]?.split(' ').length).toBe(row[at('states')]?.split(' ').length)
  }
  expect(ordered.some((row) => row[at('states')] !== '')).toBe(true)
})

test('credit and pacing are shown by agreement', async ({ browser }) => {
  const { page } = await signedIn(browser, BUYER)
  await page.goto('/console/settlement?view=credit')
  const row = page.getByRole('row', { name: new RegExp(agreement_id) })
  await expect(row).toContainText(/USD [\d,.]+ of 100,000.00/)
  await expect(row).toContainText(/USD [\d,.]+ of 200,000.00/)
})

test('the seller sees the same credit and pacing as its buyer', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/settlement?view=credit')
  const row = page.getByRole('row', { name: new RegExp(agreement_id) })
  await expect(row).toContainText(/USD [\d,.]+ of 100,000.00/)
  await expect(row).toContainText(/USD [\d,.]+ of 200,000.00/)
})

test('the figures of many agreements are read a few at a time, and those of ended ones not at all', async ({ browser }) => {
  const { page } = await signedIn(browser, SELLER)
  const terms = { seller: SELLER, buyer_entity: BUYER, settlement_mode: 'cleared', currency: 'USD', catalog_scope: '*', credit_limit: 10 }
  const items = Array.from({ length: 40 }, (_, at) => ({
    ...terms,
    agreement_id: `agr-many-${at}`,
    status: at % 2 === 0 ? 'active' : 'ended',
    effective: { start: '2026-01-01', end: '2026-12-31' },
  }))
  await page.route('**/v1/me/agreements?*', (route) => route.fulfill({ json: { items, next_cursor: null } }))
  const asked: string[] = []
  const [now, max] = [new Set<string>(), { calls: 0 }]
  await page.route(/\/v1\/me\/agreements\/[^/]+\/(pacing|credit)$/, async (route) => {
    const url = route.request().url()
    asked.push(url)
    now.add(url)
    max.calls = Math.max(max.calls, now.size)
    // By the time that the page answers, whatever it asked for at the same time is here too.
    await page.evaluate(() => undefined)
    now.delete(url)
    const figures = { currency: 'USD', credit_limit: 10, exposure: 1, available: 9, commitment_gross: null, booked_gross: 1 }
    await route.fulfill({ json: { ...figures, remaining: null, invoiced_gross: 0, as_of: '2026-01-01T00:00:00.000Z' } })
  })
  await page.goto('/console/settlement?view=credit')
  await expect(page.getByRole('row', { name: /agr-many-1 \(ended\)/ })).toBeVisible()
  await polled(() => asked.length).toBe(40)
  await expect(page.getByRole('row', { name: /agr-many-38/ })).toContainText('USD 1.00 of 10.00')
  expect(max.calls).toBeLessThanOrEqual(3)
  expect(asked.filter((url) => Number(/many-(\d+)/.exec(url)?.[1]) % 2 === 1)).toEqual([])
})

test('an invoice and an order of others are pages that say so', async ({ browser }) => {
  const { items } = await call<{ items: { invoice_id: string }[] }>(
    tokenOf('buyer', BUYER),
    'GET',
    `/settlement/invoices?order_id=${orderId}`,
  )
  for (const stranger of ['summit', 'northlight-media']) {
    const { page } = await signedIn(browser, stranger)
    for (const path of [`invoices/${items[0]?.invoice_id}`, `orders/${orderId}`]) {
      await page.goto(`/console/settlement/${path}`)
      await expect(page.getByText('NOT_FOUND').first()).toBeVisible()
    }
  }
})
