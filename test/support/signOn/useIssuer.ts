import { afterAll, beforeAll } from '@jest/globals'
import { startIssuer, type TestIssuer } from './issuer.ts'

/** Provides an issuer for the tests of a file; it starts before anything declared after it. */
export function useIssuer(options?: Parameters<typeof startIssuer>[0]): TestIssuer {
  const issuer = {} as TestIssuer
  beforeAll(async () => void Object.assign(issuer, await startIssuer(options)))
  afterAll(() => issuer.stop())
  return issuer
}
