import { expect, type Page } from '@playwright/test'
import { violationsOf, watchPolicy } from '../support/signedIn.ts'
import { test } from '../support/test.ts'

/** Signs in at the page of the issuer, which is another site, and agrees that the marketplace may know who it is. */
async function signInAtIssuer(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('x')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const issuerButton = (page: Page) => page.getByRole('link', { name: /^Sign in with 127\.0\.0\.1:/ })

test('a person signs in with the issuer, and is back at the page that was asked for', async ({ page, baseURL }) => {
  await watchPolicy(page)
  await page.goto('/console/orders?status=placed')
  await issuerButton(page).click()
  await signInAtIssuer(page, 'priya')
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
  const { origin, pathname } = new URL(page.url())
  expect([origin, pathname]).toEqual([new URL(baseURL ?? '').origin, '/console/orders'])
  const cookies = await page.context().cookies(baseURL)
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toContainEqual(['session', true, 'Strict'])
  expect(cookies.map(({ name }) => name)).not.toContain('sign-on')
  const session = await page.evaluate(async () => (await fetch('/session')).json())
  expect(session).toMatchObject({ name: 'Priya Raman', entity: 'cable', side: 'seller' })
  expect(await violationsOf(page)).toEqual([])
})

test('somebody without a tenant reads why, and can try again', async ({ page }) => {
  await page.goto('/console/')
  await issuerButton(page).click()
  await signInAtIssuer(page, 'lost')
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
  await expect(page.getByText('names the tenant nowhere, which does not exist here')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await expect(issuerButton(page)).toBeVisible()
})
