import type { Client } from '@temporalio/client'
import type { WakePlay } from '../activities/sandbox.ts'
import type { Config } from '../src/config/index.ts'
import { readPartyAccess } from '../src/local/embedded/seedSandbox.ts'
import type { Party } from '../src/local/sandbox/habits.ts'
import { openPlayers, type Players } from '../src/local/sandbox/players.ts'
import { QUEUES, WORKFLOWS, wake } from '../workflows/messages.ts'

/** The parties that hear of their orders. The others never act on one. */
const LISTENING: readonly Party[] = ['sandbox-tv', 'sandbox-pull', 'seller-suspends-you', 'sandbox-buyer']

/** Opens the parties of a sandbox, if this is one whose start has made them; undefined elsewhere. */
export async function openSandbox({ mode, dataDir }: Config): Promise<Players | undefined> {
  const access = mode === 'sandbox' ? await readPartyAccess(dataDir) : undefined
  return access && openPlayers(access)
}

/** Starts the run of each party, unless it runs. */
export async function startParties({ workflow }: Pick<Client, 'workflow'>): Promise<void> {
  for (const party of LISTENING) {
    await workflow.start(WORKFLOWS.sandboxParty, {
      workflowId: `sandbox:${party}`,
      taskQueue: QUEUES.orders,
      args: [party],
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `party of the sandbox ${party}`,
    })
  }
}

/** Returns how the run of a party's order is started or woken. */
export function wakePlay({ workflow }: Pick<Client, 'workflow'>): WakePlay {
  return async (party, order_id) => {
    await workflow.signalWithStart(WORKFLOWS.sandboxOrder, {
      workflowId: `sandbox:${party}:${order_id}`,
      taskQueue: QUEUES.orders,
      args: [party, order_id],
      signal: wake,
      signalArgs: [],
      staticSummary: `order ${order_id} of the sandbox`,
    })
  }
}
