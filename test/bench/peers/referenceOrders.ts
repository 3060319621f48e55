import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { reasonOf } from './install.ts'
import { NotHereError, type Peer } from './peer.ts'

const MODULE = 'github.com/temporalio/reference-app-orders-go'

/** Temporal's own sample of an order service, by the Go modules alone. They do not serve it where this was written, so that nothing drives it yet. */
export const referenceOrders: Peer = {
  name: 'reference-app-orders-go',
  work: 'would be an order with its shipments, in three workflows on a Temporal dev server as ours',
  leavesOut: 'not measured',
  atOnce: 16,
  async fetch(say) {
    say(`  asking the Go modules for ${MODULE} ...`)
    const asked = promisify(execFile)('go', ['list', '-m', `${MODULE}@latest`], { cwd: tmpdir(), timeout: 60_000 })
    const found = await asked.catch((error: unknown) => {
      throw new NotHereError(`go list -m ${MODULE}@latest: ${reasonOf(error)}`)
    })
    throw new NotHereError(`the Go modules have ${found.stdout.trim()}, and no driver is written for it`)
  },
  start: () => Promise.reject(new NotHereError('no driver is written for it')),
}
