import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { buildFiles, consoleFolder, textOf } from '../../src/adapters/files/consoleBuild.ts'
import { buildConsole } from '../../src/local/embedded/buildConsole.ts'
import { useProduct } from '../e2e/useProduct.ts'
import { CONSOLE, missingForSpecs, type Outcome, runSpecs } from '../support/console/playwright.ts'

/** The test files that share the specs, so that every worker of jest has some. */
const FILES = 2

/**
 * Runs every second spec of console/test, each as a test, so that one count includes them all. A browser drives a marketplace that is
 * started for them: specs change what its tenants have, so two cannot use one at the same time.
 */
export function useSpecs(file: 0 | 1): void {
  const specs = readdirSync(join(CONSOLE, 'test'))
    .filter((name) => name.endsWith('.spec.ts'))
    .filter((_, index) => index % FILES === file)
  if (missingForSpecs.length > 0)
    process.stderr.write(`The tests of the console are left out: they need ${missingForSpecs.join(' and ')}.\n`)

  ;(missingForSpecs.length > 0 ? describe.skip : describe)('the console in a browser', () => {
    const product = useProduct({ env: { SEED: 'catalogs', RATE_LIMITS: 'off' } })
    let outcomes: Outcome[] = []
    beforeAll(async () => {
      expect(await buildConsole({ onProgress: () => undefined })).toBe(true)
      expect(textOf(buildFiles(consoleFolder).stamp)).toMatch(/\S/)
      outcomes = await runSpecs(product.dataDir, specs)
    }, 1_800_000) // some seconds a spec; a busy machine takes many minutes for all

    it.each(specs)('%s', (spec) => {
      const ofSpec = outcomes.filter(({ file }) => file === spec)
      expect(ofSpec.length).toBeGreaterThan(0)
      expect(ofSpec.filter(({ fault }) => fault !== undefined)).toEqual([])
    })
  })
}
