import { expect, type Locator, type Page } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, freshName, SELLER, tokenOf } from './support/marketplace.ts'
import { asSeller, signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A buyer of which no other spec orders anything. */
const PARTNER = 'harbor-and-vale'

const agreement = {
  buyer_entity: PARTNER,
  effective: { start: '2026-01-01', end: '2029-12-30' },
  commitment_gross: 100_000,
  credit_limit: 5_000,
}

async function granted(more: object = {}): Promise<string> {
  const id = freshName('agr')
  await put(id, { ...agreement, ...more })
  return id
}

const put = (id: string, terms: object, seller = SELLER) => call(tokenOf('seller', seller), 'PUT', `/me/agreements/${id}`, terms)
const read = (id: string) => call<object>(tokenOf('seller', SELLER), 'GET', `/me/agreements/${id}`)

/** What is known of the agreement that the page shows beside the list. */
const detailOf = (page: Page) => page.getByRole('complementary', { name: 'Agreement' })
const booked = (within: Page | Locator) => within.getByRole('region', { name: 'Booked of the commitment' })
const grant = (dialog: Locator) => dialog.getByRole('button', { name: 'Grant the agreement' })

/** The dialog that grants an agreement, filled with what each has, under an id. */
async function openGrant(page: Page, id: string): Promise<Locator> {
  await page.goto('/console/relations')
  await page.getByRole('button', { name: 'Grant an agreement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Grant an agreement' })
  await dialog.getByLabel('Id', { exact: true }).fill(id)
  await dialog.getByLabel('Buyer', { exact: true }).fill(PARTNER)
  await dialog.getByLabel('In force to').fill('2029-12-30')
  return dialog
}

/** Grants what the dialog holds, once it has said what the buyer will see, with every name that is unknown meant. */
async function grantAsShown(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole('region', { name: 'What the buyer will see' })).toBeVisible()
  for (const box of await dialog.getByRole('checkbox', { name: /is not here yet/ }).all()) await box.check()
  await grant(dialog).click()
}

/** The dialog that changes an agreement. */
async function openChange(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Change or end it' }).click()
}

/** The dialog that sets the standing of a buyer. */
async function openStanding(page: Page, buyer: string): Promise<void> {
  await page.goto('/console/relations?show=buyers')
  await page.getByLabel('Buyer', { exact: true }).fill(buyer)
  await page.getByRole('button', { name: 'Set its standing' }).click()
}

/** Saves what the dialog holds, and waits until that is done. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save the agreement' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

test('a seller grants an agreement by keys, with every term, and reads what its buyer has booked and draws', async ({ browser }) => {
  test.slow()
  const id = freshName('agr')
  const { page } = await asSeller(browser)
  await page.goto('/console/relations')
  await expect(page.getByRole('button', { name: 'Grant an agreement' })).toBeEnabled()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Grant an agreement' })
  await expect(dialog.getByLabel('Id', { exact: true })).toBeFocused()
  await page.keyboard.type(id)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PARTNER)
  await dialog.getByLabel('In force from').fill('2029-12-31')
  await dialog.getByLabel('In force to').fill('2029-01-01')
  await dialog.getByLabel('Settlement').selectOption('cleared')
  await dialog.getByLabel('Commitment, gross').fill('100,000')
  await dialog.getByLabel('Credit limit').fill('many')
  await dialog.getByLabel('Every product that is sold by agreement').uncheck()
  for (const product of ['smt-sports-prime', 'smt-late-news']) {
    await dialog.getByLabel('Products').fill(product)
    await dialog.getByRole('button', { name: 'Add the product' }).click()
  }
  await dialog.getByRole('checkbox', { name: 'week' }).check()
  await dialog.getByRole('button', { name: 'Add a disclosure' }).click()
  await dialog.getByLabel('Product of disclosure 1').fill('smt-sports-prime')
  await dialog.getByLabel('Prices of disclosure 1').selectOption('quote')
  await dialog.getByLabel('Avails of disclosure 1').selectOption('on_request')
  await dialog.getByRole('button', { name: 'Add a disclosure' }).click()
  await dialog.getByLabel('Product of disclosure 2').fill('*')
  await dialog.getByLabel('Prices of disclosure 2').selectOption('published')
  await dialog.getByRole('button', { name: 'Add a posting policy' }).click()
  await dialog.getByLabel('Product of posting policy 1').fill('*')
  await dialog.getByLabel('Policy of posting policy 1').fill('C3')
  await dialog.getByLabel('Notice of a cancel').fill('14')
  await dialog.getByLabel('Between log and invoice').fill('20')
  await dialog.getByLabel('In force to').press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('The agreement is not granted')
  await expect(dialog.getByLabel('Credit limit')).toHaveAttribute('aria-invalid', 'true')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByLabel('Credit limit').fill('5,000.50')
  await dialog.getByLabel('In force to').press('Enter')
  await expect(dialog.getByText(/^Must not be before start/)).toBeVisible()
  await dialog.getByLabel('In force from').fill('2026-01-01')
  await expect(dialog.getByText('Your catalog has no smt-late-news.')).toBeVisible()
  await expect(dialog.getByRole('table', { name: /^What the buyer sees/ })).toContainText(/Products\d+\d+/)
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByLabel('In force to').press('Enter')
  await expect(grant(dialog)).toBeEnabled()
  await grantAsShown(dialog)
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`active=${id}`))
  const detail = detailOf(page)
  await expect(booked(detail)).toContainText('USD 100,000.00 left')
  await expect(detail.getByRole('region', { name: 'Exposure within the credit limit' })).toContainText('USD 5,000.50 left')
  expect(await read(id)).toMatchObject({
    buyer_entity: PARTNER,
    effective: { start: '2026-01-01', end: '2029-01-01' },
    settlement_mode: 'cleared',
    commitment_gross: 100_000,
    credit_limit: 5_000.5,
    catalog_scope: ['smt-sports-prime', 'smt-late-news'],
    permitted_grains: ['week'],
    disclosure_overrides: [
      { product_id: 'smt-sports-prime', pricing_policy: 'quote', avails_policy: 'on_request' },
      { product_id: '*', pricing_policy: 'published' },
    ],
    posting_policy_overrides: [{ product_id: '*', posting_policy: 'C3' }],
    cancellation_terms: { notice_days: 14 },
    reconciliation: { match_minutes: 20 },
  })
})

test('a grant under an id that is taken writes over nothing, and says so', async ({ browser }) => {
  const id = await granted({ credit_limit: 1_234 })
  const { page } = await asSeller(browser)
  const dialog = await openGrant(page, id)
  await grant(dialog).click()
  await expect(dialog.getByLabel('Id', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByRole('alert')).toContainText(`You have granted ${id} already`)
  expect(await read(id)).toMatchObject({ credit_limit: 1_234 })
})

test('a grant whose reply was lost is there after another click', async ({ browser }) => {
  const id = freshName('agr')
  const { page } = await asSeller(browser)
  let isLost = true
  await page.route('**/v1/me/agreements/*', async (route) => {
    if (!isLost || route.request().method() !== 'PUT' || route.request().url().includes('dry_run')) return route.continue()
    await route.fetch()
    return route.abort()
  })
  const dialog = await openGrant(page, id)
  await grantAsShown(dialog)
  await expect(dialog.getByRole('alert').filter({ hasText: 'not granted' })).toContainText('The agreement is not granted')
  isLost = false
  await grant(dialog).click({ timeout: 40_000 })
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`active=${id}`))
})

test('an id that another seller has is refused at its field', async ({ browser }) => {
  const id = freshName('agr')
  await put(id, agreement, 'lakeshore-28')
  const { page } = await asSeller(browser)
  const dialog = await openGrant(page, id)
  await grant(dialog).click()
  await expect(dialog.getByLabel('Id', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByRole('alert')).toContainText('This id cannot be used: choose another.')
})

test('an agreement that the list has not reached is shown by its id; a buyer reads which one is not in force', async ({ browser }) => {
  const external_ref = freshName('ref')
  const [id, listed] = [await granted({ external_ref }), await granted()]
  const first = await read(listed)
  const { page } = await asSeller(browser)
  await page.route('**/v1/me/agreements?*', (route) => route.fulfill({ json: { items: [first], next_cursor: null } }))
  await page.goto(`/console/relations?active=${id}`)
  await expect(page.getByRole('row').filter({ hasText: listed })).toBeVisible()
  await expect(detailOf(page)).toContainText(external_ref)
  const { page: buyers } = await signedIn(browser, PARTNER)
  await buyers.goto('/console/relations?active=agr-nowhere')
  await expect(buyers.getByText('agr-nowhere is none of your agreements in force.')).toBeVisible()
  await buyers.goto(`/console/relations?active=${id}`)
  await expect(booked(buyers)).toBeVisible()
})

test('figures that nobody may read are no fault; those that failed are read again', async ({ browser }) => {
  const id = await granted()
  const { page } = await asSeller(browser)
  const answer = (status: number, error_code: string) => ({ status, json: { error_code, error_message: 'No figures.', details: {} } })
  const figures = /\/v1\/me\/agreements\/[^/]+\/(pacing|credit)$/
  await page.route(figures, (route) => route.fulfill(answer(403, 'FORBIDDEN')))
  await page.goto(`/console/relations?active=${id}`)
  const detail = detailOf(page)
  await expect(detail.getByText('You may not read its pacing and credit.')).toBeVisible()
  await expect(detail.getByRole('alert')).toHaveCount(0)
  await page.unroute(figures)
  await page.route(figures, (route) => route.fulfill(answer(500, 'INTERNAL_ERROR')))
  await page.reload()
  await expect(detail.getByRole('alert')).toContainText('Pacing and credit cannot be read')
  await page.unroute(figures)
  await detail.getByRole('button', { name: 'Try again' }).click()
  await expect(booked(detail)).toBeVisible()
  await expect(detail.getByRole('alert')).toHaveCount(0)
})

test('a change keeps every term that it does not touch', async ({ browser }) => {
  const id = await granted({
    external_ref: freshName('ref'),
    permitted_buy_types: ['preemptible'],
    catalog_scope: ['smt-sports-prime', 'news, late'],
    disclosure_overrides: [{ product_id: '*', avails_policy: 'withheld' }],
    posting_policy_overrides: [{ product_id: '*', posting_policy: 'C3 | live\nC7 after that' }],
    cancellation_terms: { notice_days: 7, late_fee_pct: 12.5 },
    agency_commission_pct: 15,
  })
  const before = await read(id)
  const { page } = await asSeller(browser)
  await page.goto(`/console/relations?active=${id}`)
  await openChange(page)
  await page.getByRole('textbox', { name: 'Credit limit' }).fill('9000')
  await save(page)
  expect(await read(id)).toEqual({ ...before, credit_limit: 9_000 })
  await openChange(page)
  await page.getByLabel('Products').fill('smt-late-news')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await page.getByRole('button', { name: 'Add a posting policy' }).click()
  await page.getByLabel('Product of posting policy 2').fill('smt-late-news')
  await page.getByLabel('Policy of posting policy 2').fill('C7 | live')
  await save(page)
  expect(await read(id)).toEqual({
    ...before,
    credit_limit: 9_000,
    catalog_scope: ['smt-sports-prime', 'news, late', 'smt-late-news'],
    posting_policy_overrides: [
      { product_id: '*', posting_policy: 'C3 | live\nC7 after that' },
      { product_id: 'smt-late-news', posting_policy: 'C7 | live' },
    ],
  })
})

test('a seller changes an agreement; when somebody was faster, theirs shows beside mine and both are kept', async ({ browser }) => {
  const id = await granted()
  const { page } = await asSeller(browser)
  await page.goto(`/console/relations?active=${id}`)
  await openChange(page)
  await page.getByRole('textbox', { name: 'Credit limit' }).fill('7500')
  await put(id, { ...agreement, commitment_gross: 250_000 })
  await page.getByRole('button', { name: 'Save the agreement' }).click()
  await expect(page.getByText('Somebody changed the agreement after you opened it')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Commitment, gross 100000 250000 100000' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Credit limit 5000 5000 7500' })).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Save my changes over theirs' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await read(id)).toMatchObject({ credit_limit: 7_500, commitment_gross: 250_000 })
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
  const detail = detailOf(page)
  await expect(booked(detail)).toContainText('USD 100,000.00 left')
  await expect(detail.getByText('USD 5,000.00 left')).toBeVisible()
})

test('a seller suspends a buyer and reinstates it', async ({ browser }) => {
  const buyer = freshName('agency')
  const { page } = await asSeller(browser)
  await openStanding(page, buyer)
  await page.getByRole('button', { name: 'Suspend' }).click()
  const row = page.getByRole('row').filter({ hasText: buyer })
  await expect(row.getByText('Suspended')).toBeVisible()
  await row.getByRole('button', { name: `Change the standing of ${buyer}` }).click()
  await page.getByRole('button', { name: 'Reinstate' }).click()
  await expect(row.getByText('Active')).toBeVisible()
})

test('a standing that somebody changed meanwhile is shown, and not written over', async ({ browser }) => {
  const buyer = freshName('agency')
  const set = (status: string) => call(tokenOf('seller', SELLER), 'PUT', `/me/buyers/${buyer}`, { status, allowlisted: false })
  await set('active')
  const { page } = await asSeller(browser)
  await openStanding(page, buyer)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Now it is active and not on the allowlist.')).toBeVisible()
  await set('suspended')
  await dialog.getByRole('button', { name: 'Put on the allowlist' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Somebody else has changed the standing')
  await expect(dialog.getByText('Now it is suspended and not on the allowlist.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Put on the allowlist' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: buyer })
  await expect(row.getByText('Suspended')).toBeVisible()
  await expect(row.getByText('on it', { exact: true })).toBeVisible()
})
