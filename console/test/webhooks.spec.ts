import { expect } from '@playwright/test'
import { accessFaultsInBothSchemes } from './support/accessFaults.ts'
import { polled } from './support/polled.ts'
import { receiver } from './support/receiver.ts'
import { asBuyer, asSeller } from './support/signedIn.ts'
import { test } from './support/test.ts'

test('an endpoint is registered, tested and sent to again; its secret shows once', async ({ browser }) => {
  const target = await receiver()
  const { page } = await asSeller(browser)
  await page.goto('/console/webhooks')
  await page.getByRole('button', { name: 'Register an endpoint' }).click()
  await page.getByLabel('Address').fill('nowhere')
  await page.getByRole('button', { name: 'Register the endpoint' }).click()
  await expect(page.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByLabel('Address').fill(target.url)
  await page.getByRole('button', { name: 'Register the endpoint' }).click()
  const secret = page.getByTestId('secret')
  await expect(secret).toHaveText(/^whsec_/)
  const first = (await secret.textContent()) ?? ''
  expect(await accessFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByText('Nothing was sent yet')).toBeVisible()
  await expect(page.getByText(first)).toBeHidden()

  await page.keyboard.press('t')
  const rows = page.getByRole('grid', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'webhook.test' })
  await expect(rows.filter({ hasText: 'Delivered' })).toHaveCount(1)
  await page.keyboard.press('r')
  await expect(rows.filter({ hasText: 'Delivered' })).toHaveCount(2)
  await polled(() => target.events.length).toBe(2)

  await page.getByText('Dropped', { exact: true }).click()
  await expect(page.getByText('No delivery has this status')).toBeVisible()

  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
  await expect(secret).toHaveText(/^whsec_/)
  expect(await secret.textContent()).not.toBe(first)
  await page.getByRole('button', { name: 'I have kept it' }).click()

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the endpoint' }).click()
  await expect(page).toHaveURL(/\/webhooks$/)
  await expect(page.getByText(target.url)).toBeHidden()
  target.close()
})

test('a receiver that has gone shows each attempt, and its endpoint is enabled again', async ({ browser }) => {
  const target = await receiver()
  target.status = 410
  const { page } = await asBuyer(browser)
  await page.goto('/console/webhooks')
  await expect(page.getByRole('button', { name: 'Register an endpoint' })).toBeEnabled()
  await page.keyboard.press('c')
  await page.getByLabel('Address').fill(target.url)
  await page.getByRole('button', { name: 'Register the endpoint' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect(page.getByRole('complementary', { name: 'Delivery' }).getByText('410')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Enable' }).click()
  target.status = 200
  await expect(page.getByRole('button', { name: 'Send a test event' })).toBeEnabled()
  await page.getByRole('button', { name: 'Resend what was dropped' }).click()
  await page.getByRole('button', { name: 'Resend', exact: true }).click()
  await expect(page.getByText('1 event sent again.')).toBeVisible()
  target.close()
})
