import { expect } from '@jest/globals'
import { checkInvariants } from './invariants.ts'

/** Fails if a database breaks an invariant of the log (architecture, Invariants). */
export async function expectInvariants(databaseUrl: string): Promise<void> {
  expect(await checkInvariants(databaseUrl)).toEqual([])
}
