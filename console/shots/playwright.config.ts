import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

process.env.MARKETPLACE_DATA ??= fileURLToPath(new URL('../../.data', import.meta.url))
const { default: specs } = await import('../playwright.config.ts')

/** Makes the pictures of the README: `npm run console:shots`, while `npm run demo` is up. */
export default defineConfig(specs, {
  testDir: '.',
  testMatch: 'pictures.ts',
  use: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
})
