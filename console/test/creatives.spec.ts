import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { fill } from './support/buying.ts'
import { asBuyer } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('a buyer registers a creative, names it on a line and archives it', async ({ browser }) => {
  const code = `RDGL${randomUUID().slice(0, 6).toUpperCase()}H`
  const { page } = await asBuyer(browser)
  await page.goto('/console/creatives')
  await page.getByRole('button', { name: 'Register a creative' }).click()
  await page.getByRole('button', { name: 'Register the creative' }).click()
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Code').fill(code)
  await page.getByLabel('Name').fill('Ridgeline winter, 30 s')
  await page.getByRole('button', { name: 'Register the creative' }).click()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row.getByText('Active')).toBeVisible()

  await fill(page, ['2'])
  await page.getByLabel('Creative of line 1').selectOption({ label: code })
  await page.getByLabel('Advertiser').fill('adv-ridgeline-outdoor')
  await expect(page.getByText(/^Total USD/)).toBeVisible()
  await page.getByRole('button', { name: 'Empty the basket' }).click()
  await expect(page.getByRole('dialog')).toContainText('Nothing has been ordered.')
  await page.getByRole('dialog').getByRole('button', { name: 'Empty the basket' }).click()

  await page.goto('/console/creatives')
  await row.click()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await page.getByRole('button', { name: 'Archive the creative' }).click()
  await expect(row.getByText('Archived')).toBeVisible()
})
