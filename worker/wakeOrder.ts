import { WorkflowNotFoundError } from '@temporalio/client'
import type { SignalDefinition } from '@temporalio/common'
import type { OrderHead } from '../src/domain/order/head.ts'
import type { ToldCommand } from '../src/domain/order/toldCommand.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import { commandSignals, wake } from '../workflows/messages.ts'
import { lastingAttributesOf } from '../workflows/searchAttributes.ts'
import { newestOf, type Rows, type RunKind, startOptions, type WakeDeps } from './runKind.ts'

/**
 * Makes an order's run read the log: starts it for a new order, and signals it for any other, once for each command, by the command's name.
 * A missing run is started again, unless the log says that the order is finished: often the run has seen the decision and closed before
 * its signal arrives.
 */
export const wakeOrder: RunKind['wake'] = async (deps, rows, run) => {
  const { head } = newestOf(rows)
  if (head === undefined) return // the log has no such order
  if (head.status === 'submitted') return startRun(deps, head, run)
  const { workflowId } = startOptions(run, head.order_id)
  for (const told of toldBy(rows)) {
    try {
      await deps.client.workflow.getHandle(workflowId).signal(told.signal, ...told.args)
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
      if (!(await signalUnlessClosed(deps, head, run, told))) return
    }
  }
}

/** The signals for rows of one order. Rows that only ask it to look share one. */
function toldBy(rows: Rows): readonly Told[] {
  const commands = rows.flatMap(({ command }) => command ?? [])
  const told = commands.map(({ name, seq, status, gate }) => ({ signal: commandSignals[name], args: [{ seq, status, gate }] }))
  return told.length > 0 ? told : [{ signal: wake, args: [] }]
}

interface Told {
  readonly signal: SignalDefinition<ToldCommand[]>
  readonly args: ToldCommand[]
}

async function startRun({ client, startsEagerly }: WakeDeps, head: OrderHead, run: RunKind): Promise<void> {
  const options = { ...optionsOf(head, run), workflowIdConflictPolicy: 'USE_EXISTING', requestEagerStart: startsEagerly } as const
  await client.workflow.start(run.workflow, options)
}

/** Starts and signals in one call, since another run may have begun meanwhile, which must look again. Returns false if the order is closed. */
async function signalUnlessClosed(
  { client, db }: WakeDeps,
  { order_id }: OrderHead,
  run: RunKind,
  { signal, args }: Told,
): Promise<boolean> {
  const now = await readHead(db, order_id)
  if (now === undefined || now.closed) return false
  await client.workflow.signalWithStart(run.workflow, { ...optionsOf(now, run), signal, signalArgs: args })
  return true
}

function optionsOf(head: OrderHead, run: RunKind) {
  const summary = `${head.workflow} order ${head.order_id}`
  return { ...startOptions(run, head.order_id), typedSearchAttributes: lastingAttributesOf(head), staticSummary: summary }
}
