import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

process.env.MARKETPLACE_DATA ??= fileURLToPath(new URL('../../.data', import.meta.url))
const { default: specs } = await import('../playwright.config.ts')

/** Does and times the jobs of docs/console.md: `npm run console:jobs`, while `npm start` is up. */
export default defineConfig(specs, {
  testDir: '.',
  testMatch: 'jobs.ts',
  timeout: 300_000,
  use: { viewport: { width: 1440, height: 900 } },
})
