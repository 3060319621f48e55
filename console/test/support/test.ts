import { test as base } from '@playwright/test'

/**
 * A test whose pages end with it. Playwright closes only its own page: those of people who were signed in would stay, follow what happens and slow
 * down every test after them.
 */
export const test = base.extend<{ pagesEnd: undefined }>({
  pagesEnd: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
