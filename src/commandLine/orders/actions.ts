import { UsageFault } from '../exits.ts'
import { readJsonFile } from '../files.ts'
import { sentFrom } from '../locatedFaults.ts'
import { amount } from '../money.ts'
import { say, write, writeJson } from '../output.ts'
import type { Session } from '../session.ts'

/** The name under which a command acts, if no other is given. */
const ACTOR = 'command line'

export async function confirmOrder(session: Session, options: ConfirmOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  const usual = { action: options.reject === true ? 'reject' : 'confirm', actor: ACTOR }
  await acted(session, options, usual, (body) => operations.confirmOrder({ path: { order_id }, body }))
}

export async function respondOrder(session: Session, options: RespondOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  const action = options.accept === true ? 'accept' : options.withdraw === true ? 'withdraw' : undefined
  if (action === undefined && options.file === undefined) throw new UsageFault('Say --accept or --withdraw, or give the body by -f.')
  await acted(session, options, { action, actor: ACTOR }, (body) => operations.respondOrder({ path: { order_id }, body }))
}

export async function cancelOrder(session: Session, options: ActionOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  await acted(session, options, { actor: ACTOR }, (body) => operations.cancelOrder({ path: { order_id }, ...dryRunOf(options), body }))
}

export async function decideOrder(session: Session, options: DecideOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  const decision = options.approve === true ? 'approve' : options.reject === true ? 'reject' : undefined
  if (decision === undefined && options.file === undefined) throw new UsageFault('Say --approve or --reject, or give the body by -f.')
  const usual = { decision, actor: ACTOR, seller_order_id: options.sellerOrderId }
  await acted(session, options, usual, (body) => operations.decideOrder({ path: { order_id }, ...dryRunOf(options), body }))
}

export async function planOrder(session: Session, options: ActionOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  await acted(session, options, {}, (body) => operations.planOrder({ path: { order_id }, body }))
}

interface Outcome {
  readonly order_id?: string
  readonly status?: string
  readonly last_seq?: number
  readonly plan_id?: string
  readonly units_accepted?: number
  readonly units_rejected?: number
  readonly totals?: { gross: number; currency: string }
  readonly cancellation?: unknown
}

/** Sends the body of an action: that of a file, or the usual one with what the options add. Says what became of the order. */
async function acted(
  session: Session,
  { file, actor, reason, dryRun }: ActionOptions,
  usual: Readonly<Record<string, unknown>>,
  send: (body: string) => Promise<{ body: unknown }>,
): Promise<void> {
  const given = Object.fromEntries(Object.entries({ actor, reason }).filter(([, value]) => value !== undefined))
  const { body } = file === undefined ? await send(JSON.stringify({ ...usual, ...given })) : await sentWith(file, given, send)
  if (session.json) return writeJson(body)
  await write(`${sentenceOf(body as Outcome)}\n`)
  if (dryRun === true) say('Nothing was done.')
}

/** Sends the file as it is, unless an option adds to it. */
async function sentWith<Reply>(
  file: string,
  given: Readonly<Record<string, unknown>>,
  send: (body: string) => Promise<Reply>,
): Promise<Reply> {
  const { text, value } = await readJsonFile(file)
  return sentFrom(file, text, () => send(Object.keys(given).length === 0 ? text : JSON.stringify({ ...(value as object), ...given })))
}

function sentenceOf({ order_id, status, last_seq, plan_id, units_accepted, units_rejected, totals, cancellation }: Outcome): string {
  const parts = [
    [order_id, status].filter((part) => part !== undefined).join(' '),
    plan_id === undefined ? undefined : `plan ${plan_id}`,
    units_accepted === undefined ? undefined : `${units_accepted} accepted, ${units_rejected ?? 0} rejected`,
    totals === undefined ? undefined : `gross ${amount(totals.gross)} ${totals.currency}`,
    cancellation === undefined ? undefined : `cancellation ${JSON.stringify(cancellation)}`,
    last_seq === undefined ? undefined : `event ${last_seq}`,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(', ')
}

function dryRunOf({ dryRun }: ActionOptions): { query?: { dry_run: 'true' } } {
  return dryRun === true ? { query: { dry_run: 'true' } } : {}
}

export interface ActionOptions {
  readonly file?: string
  readonly actor?: string
  readonly reason?: string
  readonly dryRun?: boolean
}

export interface ConfirmOptions extends ActionOptions {
  readonly reject?: boolean
}

export interface RespondOptions extends ActionOptions {
  readonly accept?: boolean
  readonly withdraw?: boolean
}

export interface DecideOptions extends ActionOptions {
  readonly approve?: boolean
  readonly reject?: boolean
  readonly sellerOrderId?: string
}
