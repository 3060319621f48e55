import type { RememberedAnswer } from '../../domain/document/askedQuestions.ts'
import type { Database } from '../connection/database.ts'
import { lockedTx, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { type Actor, recordAct } from '../tenants/securityEvents.ts'

/** What buyers said of documents to a seller, by the fingerprint of their headings, so that it is proposed for the next one. */

type Pool = Pick<Database, 'pool'>

/** The most layouts of one buyer and seller; the one that was used longest ago is forgotten first. */
const PER_SELLER = 200
/** The most answers of one layout. */
const PER_LAYOUT = 500

export interface LayoutKey {
  readonly buyer: string
  readonly seller: string
  readonly fingerprint: string
}

/** Returns what was said of documents of a layout; empty if nothing was. */
export async function rememberedAnswers({ pool }: Pool, { buyer, seller, fingerprint }: LayoutKey): Promise<readonly RememberedAnswer[]> {
  const { rows } = await pool.query<{ answers: RememberedAnswer[] }>(FIND.bind({ buyer, seller, fingerprint }))
  return rows[0]?.answers ?? []
}

/**
 * Adds answers to a layout, in place of earlier ones to the same questions, and tells the buyer's audit log those that are new. Errors: RATE_LIMITED beyond the
 * day's acts.
 */
export async function rememberLayout(
  db: Pick<Database, 'pool' | 'sql'>,
  key: LayoutKey,
  answers: readonly RememberedAnswer[],
  actor: Actor,
): Promise<void> {
  const { buyer, seller, fingerprint } = key
  await lockedTx(db, lockOn(`layouts:${buyer}`), async (tx) => {
    const { rows } = await runOn<{ answers: RememberedAnswer[] }>(tx, FIND.bind({ buyer, seller, fingerprint }))
    const earlier = rows[0]?.answers ?? []
    const isAgain = (one: RememberedAnswer) => answers.some(({ kind, label }) => kind === one.kind && label === one.label)
    const all = [...answers, ...earlier.filter((one) => !isAgain(one))].slice(0, PER_LAYOUT)
    await runOn(tx, KEEP.bind({ buyer, seller, fingerprint, answers: JSON.stringify(all) }))
    await runOn(tx, FORGET.bind({ buyer, seller, max: PER_SELLER }))
    const act = { action: 'document_layout.remembered', target: `${seller}/${fingerprint}` } as const
    await recordAct(tx, actor, { ...act, before: byQuestion(earlier), after: byQuestion(all) })
  })
}

/** Answers as the audit log compares them: by their questions. */
function byQuestion(answers: readonly RememberedAnswer[]): object {
  return Object.fromEntries(answers.map(({ kind, label, choice }) => [`${kind}: ${label}`, choice]))
}

/** Reads the answers of a layout, or no row. */
const FIND = statement(
  'find-document-layout',
  ['buyer', 'seller', 'fingerprint'],
  'select answers from document_layouts where buyer = :buyer and seller = :seller and fingerprint = :fingerprint',
)

/** Writes the answers of a layout. */
const KEEP = statement(
  'keep-document-layout',
  ['buyer', 'seller', 'fingerprint', 'answers'],
  `insert into document_layouts (buyer, seller, fingerprint, answers) values (:buyer, :seller, :fingerprint, :answers)
    on conflict (buyer, seller, fingerprint) do update set answers = excluded.answers, said_at = now()`,
)

/** Deletes the layouts beyond the most, those that were said of longest ago. */
const FORGET = statement(
  'forget-document-layouts',
  ['buyer', 'seller', 'max'],
  `delete from document_layouts where (buyer, seller, fingerprint) in (
    select buyer, seller, fingerprint from document_layouts where buyer = :buyer and seller = :seller
      order by said_at desc, fingerprint offset :max
  )`,
)
