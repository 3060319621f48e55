import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { call, tokenOf } from './support/marketplace.ts'
import { signedIn } from './support/signedIn.ts'
import { test } from './support/test.ts'

const SELLER = 'ktvl-10'
const token = () => tokenOf('seller', SELLER)
const held = { id: 'large-orders', when: {}, then: 'hold' }

test('rules are edited and replaced, and what the API refuses is beside its field', async ({ browser }) => {
  await put([held])
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/rules')
  await expect(page.getByRole('button', { name: /large-orders every order hold/ })).toBeVisible()
  await page.keyboard.press('c')
  await page.getByLabel('Name').fill('small-orders')
  await page.getByText('Approve', { exact: true }).click()
  await page.getByLabel('Gross at most').fill('5000,50')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/max_gross must be a number/).first()).toBeVisible()
  await page.getByLabel('Gross at most').fill('5,000')
  await page.getByRole('button', { name: 'Up', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: /small-orders gross at most 5,000/ })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect((await rules()).map(({ id, when, then }) => ({ id, when, then }))).toEqual([
    { id: 'small-orders', when: { max_gross: 5_000 }, then: 'approve' },
    held,
  ])
})

test('rules that somebody else replaced meanwhile are shown beside mine', async ({ browser }) => {
  await put([held])
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/rules')
  await page.getByLabel('Buyers').fill('northlight-media')
  await put([{ id: 'theirs', when: {}, then: 'reject' }])
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Somebody replaced the rules while you edited them')).toBeVisible()
  await expect(page.getByLabel('Theirs').getByText('theirs: reject every order')).toBeVisible()
  await expect(page.getByLabel('Yours').getByText('large-orders: hold buyer northlight-media')).toBeVisible()
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  expect(await rules()).toMatchObject([{ id: 'theirs' }])
  await page.getByRole('button', { name: 'Replace theirs by yours' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await rules()).toMatchObject([{ id: 'large-orders', when: { buyers: ['northlight-media'] } }])
})

test('rules are put in force and suspended', async ({ browser }) => {
  await put([held])
  const { page } = await signedIn(browser, SELLER)
  await page.goto('/console/rules')
  await page.getByRole('button', { name: 'Put them in force' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 rule holds')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Put them in force' }).click()
  await expect(page.getByText('New orders are decided by the first rule that matches.')).toBeVisible()
  await page.getByRole('button', { name: 'Suspend the rules' }).click()
  await expect(page.getByText('Orders wait for a person, whatever the rules say.')).toBeVisible()
})

async function put(rules: readonly object[]): Promise<void> {
  await call(token(), 'PUT', '/me/approval-rules', { rules })
}

async function rules() {
  return (await call<{ rules: { id: string; when: object; then: string }[] }>(token(), 'GET', '/me/approval-rules')).rules
}
