import { expect, type Page } from '@playwright/test'
import { accessFaults } from './support/accessFaults.ts'
import { asBuyer } from './support/signedIn.ts'
import { test } from './support/test.ts'

async function faultsInBothSchemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await accessFaults(page)).map((fault) => `${colorScheme}: ${fault}`))
  }
  return found
}

test('the front page and the reference can be read by everybody, in light and dark, and ask no other host', async ({ page }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1' && new URL(request.url()).hostname !== 'localhost') foreign.push(request.url())
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('401') && faults.push(message.text()))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Buy' })).toBeVisible()
  expect(await faultsInBothSchemes(page)).toEqual([])
  await page.getByRole('link', { name: 'API reference' }).click()
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible()
  expect(await faultsInBothSchemes(page)).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Place an order' }).click()
  await expect(page.getByRole('heading', { name: 'Place an order' })).toBeVisible()
  expect(await faultsInBothSchemes(page)).toEqual([])
  expect([foreign, faults]).toEqual([[], []])
})

test('a language is chosen once, and an operation is found by its words', async ({ page }) => {
  await page.goto('/docs/createOrder')
  await expect(page.locator('figure:visible figcaption')).toHaveText(['curl'])
  await page.getByLabel('Python').check()
  await page.goto('/docs/cancelOrder')
  await expect(page.locator('figure:visible figcaption')).toHaveText(['Python'])
  await expect(page.locator('figure:visible')).toContainText('market.cancel_order(')
  await page.getByLabel('Find').fill('credit')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'credit' }).first()).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Cancel an order' })).toBeHidden()
})

test('a call is tried as the person of the console', async ({ browser }) => {
  const { page } = await asBuyer(browser)
  await page.goto('/docs/getCredential')
  await expect(page.getByText('Signed in to the console as')).toBeVisible()
  await page.getByRole('button', { name: 'Send GET' }).click()
  await expect(page.locator('#answer')).toContainText('"side": "buyer"')
  await page.goto('/docs/createUpload')
  await page.getByRole('button', { name: 'Send POST' }).click()
  await expect(page.locator('#answer')).toContainText('"status": "pending"')
})
