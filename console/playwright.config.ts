import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { credentials } from './test/support/marketplace.ts'

/** A browser of the machine: `CHROMIUM`, Debian's, or the one that Playwright has installed. */
const browser = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

export default defineConfig({
  testDir: 'test',
  workers: 1,
  // On a machine with other work to do; those that need it are named.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: process.env.CI ? [['json']] : [['list']],
  use: {
    baseURL: new URL('/', credentials.base_url).href,
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: browser === undefined ? {} : { executablePath: browser },
  },
})
