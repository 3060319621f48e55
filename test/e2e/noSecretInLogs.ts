import { expect, it } from '@jest/globals'
import { openParties } from './deaths.ts'
import { logsOf, plantSecrets, secretsIn } from './logSecrets.ts'
import type { UsedProduct } from './useProduct.ts'

/** The test of the logs of a running product, which loses its parts on the way. */
export function noSecretInLogs(product: UsedProduct): void {
  it('no process or engine logs a credential or the text of a tenant, whichever part dies', async () => {
    const parties = await openParties(product)
    const planted = await plantSecrets(product, parties)
    const { secrets } = planted
    for (const part of ['worker', 'api', 'backend', 'postgres'] as const) {
      const begun = await planted.begin(part)
      expect(await product.signal(part)).toBe(true)
      await product.recovered()
      await begun.finish()
    }
    planted.close()

    const logs = await logsOf(product.dataDir, product.everSaid())
    const expectedLines = [
      '"room":"api"',
      '"room":"worker"',
      'is started again',
      'PostgreSQL is back',
      'database system is ready to accept connections',
    ]
    expect(expectedLines.filter((line) => !logs.includes(line))).toEqual([])
    expect(secretsIn(logs, secrets)).toEqual([])
    // Checks that each secret would be found.
    for (const [what, secret] of secrets) expect(secretsIn(`${logs}\n{"msg":"no ${secret}"}\n`, secrets)).toEqual([what])
    expect(secrets.size).toBeGreaterThan(15)
  }, 600_000)
}
