import type { Browser, Page } from '@playwright/test'
import { BUYER, OPERATOR, SELLER } from './marketplace.ts'

export interface SignedIn {
  readonly page: Page
  /** What the page was refused by its content security policy. */
  violations(): Promise<string[]>
}

/**
 * A page of its own in which a person of the sandbox is signed in. What that person decides is sent at once, unless `undoSeconds` says how long
 * it can be undone, or leaves that to the console.
 */
export async function signedIn(browser: Browser, persona: string, undoSeconds: number | 'of the console' = 0): Promise<SignedIn> {
  const context = await browser.newContext()
  const reply = await context.request.post('/session', { data: { persona }, headers: { 'Sec-Fetch-Site': 'none' } })
  if (!reply.ok()) throw new Error(`The sign-in as ${persona} was answered ${reply.status()}: ${await reply.text()}`)
  const page = await context.newPage()
  if (undoSeconds !== 'of the console')
    await page.addInitScript((seconds) => localStorage.setItem('console.undo-seconds', String(seconds)), undoSeconds)
  await watchPolicy(page)
  return { page, violations: () => violationsOf(page) }
}

export const asSeller = (browser: Browser, undoSeconds?: number | 'of the console') => signedIn(browser, SELLER, undoSeconds)
export const asOperator = (browser: Browser) => signedIn(browser, OPERATOR)
export const asBuyer = (browser: Browser) => signedIn(browser, BUYER)

export async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { policyViolations: seen })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.push(`${violatedDirective} ${blockedURI}`),
    )
  })
}

export function violationsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { policyViolations: string[] }).policyViolations)
}
