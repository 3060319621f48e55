import { expect } from '@jest/globals'
import { type Publishing, withPublishLock } from '../../../src/store/catalog/publishLock.ts'
import type { Database } from '../../../src/store/connection/database.ts'

/**
 * Publishes like a process that dies when its transaction with the number `last` begins: it does nothing after that, not even clean up. A
 * publish with fewer transactions dies after its last one.
 */
export async function publishKilledAt(
  db: Database,
  seller: string,
  last: number,
  publish: (publishing: Publishing) => Promise<unknown>,
): Promise<void> {
  const killed = withPublishLock(db, seller, async (publishing) => {
    let begun = 0
    const commit: Publishing['commit'] = (work) => {
      begun += 1
      if (begun >= last) throw new Error('killed')
      return publishing.commit(work)
    }
    await publish({ ...publishing, commit })
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
}
