import { expect, type Page } from '@playwright/test'
import { accessFaults } from './support/accessFaults.ts'
import { freshName, orderInReview, orderOf, type PlacedOrder } from './support/marketplace.ts'
import { orderRows } from './support/orderList.ts'
import { polled } from './support/polled.ts'
import { asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** The queue of one advertiser with some orders of one line, the first of them ready to be sent. */
async function queueWith(page: Page, count: number): Promise<PlacedOrder[]> {
  const advertiser = freshName('adv-grace')
  const orders: PlacedOrder[] = []
  for (let n = 0; n < count; n += 1) orders.push(await orderInReview({ lines: 1, advertiser }))
  await page.goto(`/console/queue?advertiser=${advertiser}`)
  await expect(orderRows(page)).toHaveCount(count)
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  return orders
}

const statusOf = async ({ order_id }: PlacedOrder) => (await orderOf(order_id)).status
const headingOf = (page: Page, { external_order_id }: PlacedOrder) =>
  page.getByRole('region', { name: 'The order', exact: true }).getByRole('heading', { name: external_order_id })

function decides(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/decide') && sent.push(request.url()))
  return sent
}

test('a decision can be undone for 5 s, is told as what it is, and is then sent', async ({ browser }) => {
  const { page } = await asSeller(browser, 5)
  await page.clock.install()
  const sent = decides(page)
  const [first, second] = (await queueWith(page, 2)) as [PlacedOrder, PlacedOrder]
  await page.keyboard.press('Control+Enter')
  const bar = page.getByRole('region', { name: 'What is being sent' })
  await expect(bar).toContainText(new RegExp(`Approves ${first.external_order_id}, USD [\\d,.]+`))
  await expect(bar).toContainText(/in [1-5] s/)
  await expect(headingOf(page, second)).toBeVisible()
  await expect(orderRows(page)).toHaveCount(2)
  await expect(orderRows(page).first()).toContainText('sending')
  expect(await accessFaults(page)).toEqual([])
  expect(sent).toEqual([])
  await page.keyboard.press('z')
  await expect(bar).toContainText('Undone: nothing was sent')
  await expect(headingOf(page, first)).toBeVisible()
  await page.clock.fastForward(11_000)
  expect(sent).toEqual([])
  expect(await statusOf(first)).toBe('seller_review')

  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(bar).toContainText(`Approves ${first.external_order_id}`)
  await page.clock.fastForward(5_000)
  await expect(bar).toContainText(`Approved ${first.external_order_id}`)
  expect(await statusOf(first)).toBe('placed')
  expect(await statusOf(second)).toBe('seller_review')
  await expect(orderRows(page)).toHaveCount(1)
  await expect(headingOf(page, second)).toBeVisible()
})

test('three quick sends decide one order, the one that was shown', async ({ browser }) => {
  const { page } = await asSeller(browser, 0)
  const sent = decides(page)
  const [first, ...others] = await queueWith(page, 3)
  // By the clock of the page, which a busy machine does not keep apart from that of its keys.
  await page.evaluate(async () => {
    const press = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }))
    for (let n = 0; n < 3; n += 1) press()
    await new Promise((done) => setTimeout(done, 500))
    press()
  })
  await expect(orderRows(page)).toHaveCount(2)
  expect(sent.length).toBe(1)
  expect(await Promise.all([first as PlacedOrder, ...others].map(statusOf))).toEqual(['placed', 'seller_review', 'seller_review'])
  await expect(page.getByRole('grid')).toBeFocused()
})

test('the next send sends the one before it', async ({ browser }) => {
  const { page } = await asSeller(browser, 10)
  const [first, second] = (await queueWith(page, 2)) as [PlacedOrder, PlacedOrder]
  await page.keyboard.press('Control+Enter')
  await expect(headingOf(page, second)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await polled(() => statusOf(first)).toBe('placed')
  expect(await statusOf(second)).toBe('seller_review')
})

test('who leaves the page has decided, and who signs out too', async ({ browser }) => {
  const { page } = await asSeller(browser, 10)
  const [first] = (await queueWith(page, 1)) as [PlacedOrder]
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'What is being sent' })).toBeVisible()
  await page.goto('about:blank')
  await polled(() => statusOf(first)).toBe('placed')

  const [second] = (await queueWith(page, 1)) as [PlacedOrder]
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Token', { exact: true })).toBeVisible()
  expect(await statusOf(second)).toBe('placed')
})

test('what had not been sent is still in the queue after a crash', async ({ browser }) => {
  const { page } = await asSeller(browser, 5)
  const [first] = (await queueWith(page, 1)) as [PlacedOrder]
  await page.keyboard.press('r')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'What is being sent' })).toContainText('Rejects')
  const devtools = await page.context().newCDPSession(page)
  await Promise.race([devtools.send('Page.crash').catch(() => undefined), page.waitForEvent('crash')])
  const again = await page.context().newPage()
  await again.goto(`/console/queue?q=${first.external_order_id}`)
  await expect(orderRows(again)).toHaveCount(1)
  await expect(again.getByRole('button', { name: /^Approve 1 line/ })).toBeEnabled()
  await again.waitForTimeout(5_500)
  expect(await statusOf(first)).toBe('seller_review')
})

test('how long a decision can be undone is a setting of the person', async ({ browser }) => {
  const { page } = await asSeller(browser, 'of the console')
  const sent = decides(page)
  await queueWith(page, 1)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  const field = keys.getByLabel('Time to undo a decision')
  await expect(field).toHaveValue('5')
  await field.selectOption('none, send at once')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden() // while a dialog closes, the page beneath it takes no keys
  await page.keyboard.press('Control+Enter')
  await polled(() => sent.length).toBe(1)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  await expect(field).toHaveValue('0')
})

test('an order is rejected with its reason by keys alone, and the focus is back on the list', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const [first, second] = (await queueWith(page, 2)) as [PlacedOrder, PlacedOrder]
  await page.keyboard.press('r')
  await page.keyboard.press('e')
  const reason = page.getByLabel('Reason', { exact: true })
  await expect(reason).toBeFocused()
  expect(await page.locator('datalist option').count()).toBeGreaterThan(3)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid')).toBeFocused()
  await page.keyboard.press('e')
  await page.keyboard.type('Sold out')
  await expect(page.getByRole('button', { name: /^Reject 1 line/ })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('grid')).toBeFocused()
  await expect(headingOf(page, second)).toBeVisible()
  await polled(() => statusOf(first)).toBe('rejected')
  const { decision_latency: _, ...read } = (await orderOf(first.order_id)) as unknown as Record<string, unknown>
  expect(JSON.stringify(read)).toContain('Sold out')
})

test('every order of the filter is selected by one key, a range by shift, and rejected together', async ({ browser }) => {
  const { page } = await asSeller(browser)
  const orders = await queueWith(page, 4)
  const bar = page.getByRole('region', { name: 'Selected orders' })
  await page.keyboard.press('Shift+J')
  await expect(bar).toContainText(/2 orders selected, USD [\d,.]+/)
  await page.keyboard.press('Shift+J')
  await expect(bar).toContainText('3 orders selected')
  await page.keyboard.press('Control+a')
  await expect(bar).toContainText('4 orders selected')
  await expect(bar).toContainText('All 4 can be decided like this.')
  await page.keyboard.press('r')
  await page.keyboard.press('e')
  await expect(bar.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Sold out')
  await expect(bar.getByRole('button', { name: /^Reject 4 orders/ })).toBeEnabled()
  expect(await accessFaults(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'What is being sent' })).toContainText(/Rejected 4 orders, USD/)
  expect(await Promise.all(orders.map(statusOf))).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  await expect(page.getByText('Nothing waits for you').or(page.getByText('No order matches'))).toBeVisible()
})
