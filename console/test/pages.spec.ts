import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { decide, documentOrder, orderInReview, orderOf, proposalOrder } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('an order whose document cannot be read says why on each of its pages', async ({ browser }) => {
  const order = await documentOrder({ document: 'a,b\n1,2\n', becomes: 'failed' })
  const why = 'The csv document cannot be read as a buysheet'
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}`)
  await expect(page.getByRole('status').filter({ hasText: 'The order failed' })).toContainText(why)
  await expect(page.getByLabel('Timeline').getByText('Failed: ')).toContainText(why)
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('link', { name: 'Document', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'The document could not be read' })).toBeVisible()
  await expect(page.getByText(why)).toBeVisible()
  await page.goto(`/console/orders/${order.order_id}/print`)
  await expect(page.getByText(why)).toBeVisible()
})

test('a file that an order came by can be downloaded by both sides', async ({ browser }) => {
  const order = await documentOrder()
  for (const { page } of [await asBuyer(browser), await asSeller(browser)]) {
    await page.goto(`/console/orders/${order.order_id}`)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /\.csv$/ }).click()])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    expect(await download.failure()).toBeNull()
  }
})

test('a seller writes a plan beside the request, the buyer confirms it beside its band', async ({ browser }) => {
  const order = await proposalOrder()
  const { page: seller } = await asSeller(browser)
  await seller.goto(`/console/queue?q=${order.external_order_id}`)
  await expect(seller.getByRole('button', { name: /^Write a plan/ })).toBeVisible()
  await seller.keyboard.press('Control+Enter')
  await expect(seller.getByText('Weeknights, 15-second spots.')).toBeVisible()
  await writePlan(seller, order.product, order.week)
  expect(await accessFaultsInBothSchemes(seller)).toEqual([])
  await seller.getByRole('button', { name: /^Send a plan of 1 line/ }).click()
  await expect(seller.getByRole('region', { name: 'Plan', exact: true })).toBeVisible()

  const { page: buyer } = await asBuyer(browser)
  await buyer.goto(`/console/orders/${order.order_id}/plan`)
  await expect(buyer.getByText(/within the band|outside of the band/)).toBeVisible()
  await expect(buyer.getByText('budget within 2%: is flagged')).toBeVisible()
  expect(await accessFaultsInBothSchemes(buyer)).toEqual([])
  await buyer.keyboard.press('Control+Enter')
  await buyer.getByRole('dialog').getByRole('button', { name: 'Confirm the order' }).click()
  await expect(buyer.getByRole('dialog')).toBeHidden()
  await polled(async () => (await orderOf(order.order_id)).status).toBe('seller_review')
})

test('an order prints on paper with parties, lines, air dates, totals, terms and decision', async ({ browser }) => {
  const order = await orderInReview()
  await decide(order.order_id, { decision: 'approve' })
  const { page } = await asBuyer(browser)
  await page.goto(`/console/orders/${order.order_id}/print`)
  await expect(page.getByText('Dana Whitfield approved this')).toBeVisible()
  for (const heading of ['Lines', 'Air dates', 'Totals and terms', 'Decision'])
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
  await polled(scheme).toBe('dark')
  await page.evaluate(() =>
    window.addEventListener('beforeprint', () =>
      Object.assign(window, { onPaper: document.documentElement.getAttribute('data-mantine-color-scheme') }),
    ),
  )
  const pdf = await page.pdf({ format: 'Letter' })
  expect(await page.evaluate(() => (window as unknown as { onPaper?: string }).onPaper)).toBe('light')
  await polled(scheme).toBe('dark')
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.length).toBeGreaterThan(10_000)
})

test('the mails of an order are listed for both sides', async ({ browser }) => {
  const order = await orderInReview()
  const mail = {
    message_id: 'edm_1',
    document: 'confirmed',
    document_id: 'edd_1',
    seq: 4,
    to: 'traffic@agency.example',
    status: 'bounced',
    status_reason: 'refused',
    stuck: null,
    message_ref: 'edm_1@marketplace.example',
    filename: 'order.xml',
    sha256: null,
    warnings: [],
    created_at: '2026-11-22T10:00:00.000Z',
    attempts: [{ at: '2026-11-22T10:00:01.000Z', outcome: 'accepted', code: 250, latency_ms: 12 }],
  }
  for (const { page } of [await asBuyer(browser), await asSeller(browser)]) {
    await page.route('**/edi?*', (route) => route.fulfill({ json: { items: [mail], next_cursor: null, reason: null } }))
    await page.goto(`/console/orders/${order.order_id}`)
    const log = page.getByRole('region', { name: 'Mails' })
    await expect(log.getByText('bounced')).toBeVisible()
    await expect(log.getByText('traffic@agency.example')).toBeVisible()
    await expect(log.getByRole('link', { name: 'Download' })).toHaveAttribute('href', /\/edi\/edm_1\/document$/)
  }
})

async function writePlan(page: Page, product: string, week: string): Promise<void> {
  await page.getByLabel('Product').fill(product)
  await page.getByLabel('Week', { exact: true }).fill(week)
  await page.getByLabel('Price on the card').selectOption({ index: 1 })
  await page.getByLabel(/^Gross that you state/).fill('1000')
  await page.getByLabel('What it does not meet').fill('No room on Mondays.')
}
