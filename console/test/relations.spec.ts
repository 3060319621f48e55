import { randomUUID } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { call, SELLER, tokenOf } from './support/marketplace.ts'
import { asSeller, signedIn } from './support/signedIn.ts'

/** A buyer of which no other spec orders anything. */
const PARTNER = 'harbor-and-vale'

const agreement = {
  buyer_entity: PARTNER,
  effective: { start: '2026-01-01', end: '2029-12-30' },
  commitment_gross: 100_000,
  credit_limit: 5_000,
}

async function granted(more: object = {}): Promise<string> {
  const id = `agr-${randomUUID().slice(0, 8)}`
  await call(tokenOf('seller', SELLER), 'PUT', `/me/agreements/${id}`, { ...agreement, ...more })
  return id
}

test('a seller changes an agreement; when somebody was faster, theirs shows beside mine and both are kept', async ({ browser }) => {
  const id = await granted()
  const { page } = await asSeller(browser)
  await page.goto(`/console/relations?active=${id}`)
  await page.getByRole('button', { name: 'Change or end it' }).click()
  await page.getByLabel('Credit limit').fill('7500')
  await call(tokenOf('seller', SELLER), 'PUT', `/me/agreements/${id}`, { ...agreement, commitment_gross: 250_000 })
  await page.getByRole('button', { name: 'Save the agreement' }).click()
  await expect(page.getByText('Somebody changed the agreement after you opened it')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Commitment, gross 100000 250000 100000' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Credit limit 5000 5000 7500' })).toBeVisible()
  await page.getByRole('button', { name: 'Save my changes over theirs' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const saved = await call<{ credit_limit: number; commitment_gross: number }>(tokenOf('seller', SELLER), 'GET', `/me/agreements/${id}`)
  expect([saved.credit_limit, saved.commitment_gross]).toEqual([7_500, 250_000])
})

test('a seller ends an agreement, and reads what is wrong with a date below its field', async ({ browser }) => {
  const id = await granted()
  const { page } = await asSeller(browser)
  await page.goto(`/console/relations?active=${id}`)
  await expect(page.getByRole('button', { name: 'Change or end it' })).toBeVisible()
  await page.keyboard.press('e')
  await page.getByLabel('In force to').fill('2027-02-30')
  await page.getByRole('button', { name: 'Save the agreement' }).click()
  await expect(page.getByLabel('In force to')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('In force to').fill('2029-12-30')
  await page.getByLabel('Status').selectOption('ended')
  await page.getByRole('button', { name: 'End the agreement' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: id }).getByText('ended')).toBeVisible()
})

test('a buyer sees its agreements with pacing and credit', async ({ browser }) => {
  const id = await granted({ settlement_mode: 'cleared' })
  const { page } = await signedIn(browser, PARTNER)
  await page.goto(`/console/relations?active=${id}`)
  const detail = page.getByRole('complementary', { name: 'Agreement' })
  await expect(detail.getByText('Booked of the commitment')).toBeVisible()
  await expect(detail.getByText('USD 100,000.00 left')).toBeVisible()
  await expect(detail.getByText('USD 5,000.00 left')).toBeVisible()
})

test('a seller suspends a buyer and reinstates it', async ({ browser }) => {
  const buyer = `agency-${randomUUID().slice(0, 6)}`
  const { page } = await asSeller(browser)
  await page.goto('/console/relations?show=buyers')
  await page.getByLabel('Buyer', { exact: true }).fill(buyer)
  await page.getByRole('button', { name: 'Set its standing' }).click()
  await page.getByRole('button', { name: 'Suspend' }).click()
  const row = page.getByRole('row').filter({ hasText: buyer })
  await expect(row.getByText('Suspended')).toBeVisible()
  await row.getByRole('button', { name: `Change the standing of ${buyer}` }).click()
  await page.getByRole('button', { name: 'Reinstate' }).click()
  await expect(row.getByText('Active')).toBeVisible()
})

test('a standing that somebody changed meanwhile is shown, and not written over', async ({ browser }) => {
  const buyer = `agency-${randomUUID().slice(0, 6)}`
  const put = (status: string) => call(tokenOf('seller', SELLER), 'PUT', `/me/buyers/${buyer}`, { status, allowlisted: false })
  await put('active')
  const { page } = await asSeller(browser)
  await page.goto('/console/relations?show=buyers')
  await page.getByLabel('Buyer', { exact: true }).fill(buyer)
  await page.getByRole('button', { name: 'Set its standing' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Now it is active and not on the allowlist.')).toBeVisible()
  await put('suspended')
  await dialog.getByRole('button', { name: 'Put on the allowlist' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Somebody has changed the standing meanwhile')
  await expect(dialog.getByText('Now it is suspended and not on the allowlist.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Put on the allowlist' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: buyer })
  await expect(row.getByText('Suspended')).toBeVisible()
  await expect(row.getByText('on it', { exact: true })).toBeVisible()
})
