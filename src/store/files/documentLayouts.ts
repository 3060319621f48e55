import type { RememberedAnswer } from '../../domain/document/askedQuestions.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

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

/** Adds answers to a layout, in place of earlier ones to the same questions. */
export async function rememberLayout({ pool }: Pool, key: LayoutKey, answers: readonly RememberedAnswer[]): Promise<void> {
  const { buyer, seller, fingerprint } = key
  const earlier = await rememberedAnswers({ pool }, key)
  const isAgain = (one: RememberedAnswer) => answers.some(({ kind, label }) => kind === one.kind && label === one.label)
  const all = [...answers, ...earlier.filter((one) => !isAgain(one))].slice(0, PER_LAYOUT)
  await pool.query(KEEP.bind({ buyer, seller, fingerprint, answers: JSON.stringify(all) }))
  await pool.query(FORGET.bind({ buyer, seller, max: PER_SELLER }))
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
