import { expect, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { BUYER, call, decide, orderInReview, orderOf, SELLER, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

interface Booked {
  readonly unit_id: string
  readonly product_id: string
  readonly spot_length: number
  readonly allocation: readonly { readonly date: string; readonly units: number }[]
}

interface Makegood {
  readonly makegood_id: string
  readonly status: string
  readonly version: number
}

/** A placed order, with its first line. */
async function placedOrder() {
  const order = await orderInReview({ lines: 1 })
  await decide(order.order_id, { decision: 'approve' })
  await polled(async () => (await orderOf(order.order_id)).status).toBe('placed')
  const { line_items } = await call<{ line_items: Booked[] }>(tokenOf('seller', SELLER), 'GET', `/me/orders/${order.order_id}`)
  return { ...order, line: line_items[0] as Booked, path: `/console/orders/${order.order_id}/makegoods` }
}

/** A notice of one unit of the first date, which offers one on the last. */
function offered({ order_id, line }: { order_id: string; line: Booked }): Promise<Makegood> {
  const [first, last] = [line.allocation[0]?.date, line.allocation.at(-1)?.date]
  return call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order_id}/makegoods`, {
    for: [{ unit_id: line.unit_id, date: first, units: 1, reason_code: 'preempted', reason: 'Breaking news' }],
    offers: [{ product_id: line.product_id, date: last, units: 1, spot_length: line.spot_length }],
  })
}

const card = (page: Page, status: string) => page.getByRole('region', { name: `Makegood, ${status}` })

test('a seller says what does not air and offers another spot, its buyer accepts it, in two browsers', async ({ browser }) => {
  const order = await placedOrder()
  const [{ page: seller }, { page: buyer }] = [await asSeller(browser), await asBuyer(browser)]
  await seller.goto(`/console/orders/${order.order_id}`)
  await seller.getByRole('link', { name: 'Makegoods' }).click()
  await expect(seller.getByText('No makegood yet')).toBeVisible()
  await seller.keyboard.press('n')
  const dialog = seller.getByRole('dialog', { name: 'Units that do not air' })
  await dialog.getByLabel('In words').fill('Breaking news')
  await dialog.getByLabel('Offer another spot in their place').check()
  await expect(dialog).toContainText('billed at the price of what it replaces, never more')
  const tell = dialog.getByRole('button', { name: 'Tell the buyer and offer it' })
  await expect(tell).toBeDisabled()
  await dialog.getByLabel('Date', { exact: true }).fill('2020-01-01')
  await tell.click()
  await expect(dialog.getByRole('alert')).toContainText('INVALID_INPUT')
  await expect(dialog.getByLabel('Date', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  expect(await accessFaultsInBothSchemes(seller)).toEqual([])
  await dialog.getByLabel('Date', { exact: true }).fill(order.line.allocation.at(-1)?.date ?? '')
  await tell.click()
  await expect(dialog).toBeHidden()
  await expect(card(seller, 'offered')).toContainText('preempted: Breaking news')

  await buyer.goto('/console/settlement?view=makegoods&makegood=offered')
  await buyer.getByRole('row', { name: new RegExp(order.order_id) }).dblclick()
  await expect(card(buyer, 'offered')).toContainText('1 unit of')
  expect(await accessFaultsInBothSchemes(buyer)).toEqual([])
  await buyer.keyboard.press('a')
  const answer = buyer.getByRole('dialog', { name: 'Accept' })
  await expect(answer).toContainText('airs in the place of 1 unit of')
  await expect(answer).toContainText('It is billed once, at the price of what it replaces.')
  await answer.getByRole('button', { name: 'Accept' }).click()
  await expect(card(buyer, 'accepted')).toContainText(/Billed at what it replaces, USD [\d,.]+/)
  await expect(card(buyer, 'accepted').getByRole('button')).toHaveCount(0)
  await seller.reload()
  await expect(card(seller, 'accepted')).toContainText('Elena Ortiz (buyer): accepted')
})

test('a buyer declines one makegood and takes credit for another, after reading what follows', async ({ browser }) => {
  const order = await placedOrder()
  await offered(order)
  const { page } = await asBuyer(browser)
  await page.goto(order.path)
  await card(page, 'offered').getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('dialog')).toContainText('its variance stays open')
  await page.getByRole('dialog').getByLabel('Note').fill('Too late')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expect(card(page, 'declined')).toContainText('"Too late"')
  await offered(order)
  await page.reload()
  await expect(card(page, 'offered')).toBeVisible()
  await page.keyboard.press('c')
  await expect(page.getByRole('dialog')).toContainText('nothing airs in its place')
  await page.getByRole('dialog').getByRole('button', { name: 'Take credit' }).click()
  await expect(card(page, 'credited')).toContainText(/1 unit of .*USD/)
})

test('an answer is about the offer that was shown, whatever the seller offers meanwhile', async ({ browser }) => {
  const order = await placedOrder()
  const { makegood_id } = await offered(order)
  const { page } = await asBuyer(browser)
  await page.goto(order.path)
  await expect(card(page, 'offered')).toBeVisible()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Accept' })
  const accept = dialog.getByRole('button', { name: 'Accept' })
  await expect(accept).toBeEnabled()
  const { line } = order
  await call(tokenOf('seller', SELLER), 'POST', `/me/orders/${order.order_id}/makegoods/${makegood_id}`, {
    action: 'offer',
    offers: [{ product_id: line.product_id, date: line.allocation[0]?.date, units: 1, spot_length: line.spot_length }],
  })
  await accept.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'moved on' }).or(dialog.getByText('changed it while')).first()).toBeVisible()
  const now = await call<Makegood>(tokenOf('buyer', BUYER), 'GET', `/orders/${order.order_id}/makegoods/${makegood_id}`)
  expect(now).toMatchObject({ status: 'offered', version: 2 })
})

test('a seller takes back what nobody has answered', async ({ browser }) => {
  const order = await placedOrder()
  await offered(order)
  const { page } = await asSeller(browser)
  await page.goto(order.path)
  await card(page, 'offered').getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByRole('dialog')).toContainText('The buyer can no longer answer.')
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await expect(card(page, 'recalled')).toBeVisible()
})
