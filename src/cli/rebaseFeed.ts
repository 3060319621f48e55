import { readConfig } from '../config.ts'
import { beginFeedEra } from '../store/delivery/feedEra.ts'
import { endWith } from './endWith.ts'
import { onDatabase } from './onDatabase.ts'

/** `npm run feed:rebase`: after a restore, so that every cursor ever issued stays valid (runbook, Backup and restore). */
async function main(): Promise<void> {
  await onDatabase(readConfig(), beginFeedEra)
  process.stdout.write('A new era of the feed has begun: readers go on with the cursors that they have.\n')
}

main().catch(endWith)
