import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, tokenOf } from './support/marketplace.ts'
import { polled } from './support/polled.ts'
import { asBuyer, signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

/** A seller whose profile no other spec needs. */
const STATION = 'lakeshore-28'

interface Profile {
  readonly negotiation: boolean
  readonly quote_ttl_minutes: number
}

const put = (profile: object) => call(tokenOf('seller', STATION), 'PUT', '/me/capabilities', profile)
const read = () => call<Profile>(tokenOf('seller', STATION), 'GET', '/me/capabilities')

test('a seller changes its profile, sees what the next level needs, and finds the change in the audit log', async ({ browser }) => {
  await put({ negotiation: false })
  const { page } = await signedIn(browser, STATION)
  await page.goto('/console/profile')
  await expect(page.getByRole('heading', { name: /^Level \d of 4/ })).toBeVisible()
  await page.getByLabel('A quote is open for, minutes').fill('-1')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByLabel('A quote is open for, minutes')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('A quote is open for, minutes').fill('720')
  await page.getByLabel('Negotiation').check()
  await page.getByRole('button', { name: 'Save the profile' }).click()
  await expect(page.getByRole('button', { name: 'Save the profile' })).toBeDisabled()
  await polled(read).toMatchObject({ negotiation: true, quote_ttl_minutes: 720 })
  await page.getByText('Audit log', { exact: true }).click()
  await expect(page.getByText('capabilities changed').first()).toBeVisible()
  await expect(page.getByText('negotiation: false to true').first()).toBeVisible()
})

test('when a profile was changed meanwhile, theirs shows beside mine', async ({ browser }) => {
  await put({ quote_ttl_minutes: 60 })
  const { page } = await signedIn(browser, STATION)
  await page.goto('/console/profile')
  await page.getByLabel('A quote is open for, minutes').fill('90')
  await put({ quote_ttl_minutes: 120 })
  await page.getByRole('button', { name: 'Save the profile' }).click()
  await expect(page.getByRole('row', { name: 'A quote is open for, minutes 60 120 90' })).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(page.getByLabel('A quote is open for, minutes')).toHaveValue('120')
})

test('a buyer sees who it is and what it may do', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await page.goto('/console/profile')
  await expect(page.getByText('orders:write')).toBeVisible()
})
