import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { useMarket } from '../support/useMarket.ts'
import { bodyFile, goClient, hasGo, hasPython, pythonClient, typescriptClient } from './generators.ts'

/** Generators of other languages, from their registries: where their tools are missing they are left out, and say so. */
const CLIENTS = [
  { language: 'TypeScript', present: true, make: typescriptClient },
  { language: 'Python', present: hasPython, make: pythonClient },
  { language: 'Go', present: hasGo, make: goClient },
]

const market = useMarket()
let folder: TemporaryFolder

beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(async () => {
  await folder.remove()
})

for (const { language, present, make } of CLIENTS) {
  if (!present) {
    process.stdout.write(`No generator for ${language} can run here: its client is not tested.\n`)
    continue
  }
  describe(`the ${language} client that is generated from docs/openapi.json`, () => {
    it('compiles, places an order and reads it', async () => {
      const placed = await (await make())(market.baseUrl, market.tokens.buyers.acme, await bodyFile(folder.path, market.order()))
      expect(placed).toEqual({ order_id: expect.stringMatching(/^ord_/), status: 'submitted', lines: 1 })
      expect((await market.snapshot(placed.order_id)).status).toBe('submitted')
    }, 300_000)
  })
}
