import { expect } from '@playwright/test'
import { untoldFaults } from './support/accessFaults.ts'
import { SELLER, tokenOf } from './support/marketplace.ts'
import { test } from './support/test.ts'

test('a person of the sandbox signs in by name, stays signed in, and signs out', async ({ page }) => {
  await page.goto('/console/')
  await page.getByRole('button', { name: /Summit Networks/ }).click()
  await expect(page.getByRole('heading', { name: /^Queue/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Queue/ })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Token', { exact: true })).toBeVisible()
})

test('a token signs its tenant in; another is refused in words', async ({ page }) => {
  await page.goto('/console/orders')
  await page.getByLabel('Token', { exact: true }).fill('omp_test_nothing')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('UNAUTHENTICATED')
  await expect(page.getByLabel('Token', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  expect(await untoldFaults(page)).toEqual([])
  await page.getByLabel('Token', { exact: true }).fill(tokenOf('seller', SELLER))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/console/orders')
})
