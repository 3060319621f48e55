import { Avail, type PutAvails } from '../contract/avail.ts'
import type { AvailsReply, Product } from '../contract/product.ts'
import { denomination, stageAvails } from '../domain/publish/stageAvails.ts'
import type { Parsed } from '../domain/publish/staged.ts'
import { saveAvails } from '../store/avails.ts'
import { clearStaged, mergeStaged, stageForMerge } from '../store/availsStaging.ts'
import { findProducts } from '../store/catalog.ts'
import type { Database, Tx } from '../store/database.ts'
import { markUsesApi, withPublishLock } from '../store/publishLock.ts'
import { answerAsked } from './answerAsked.ts'
import { outcomeOf, type Surface } from './outcome.ts'
import { parseEntries } from './parseEntries.ts'

/**
 * Publishes avails, each on its own; they merge by (product_id, period), and answer what buyers asked (spec, Avail and One write model; choices,
 * Publish bodies). Many are laid down before the transaction begins, since the feed waits for the oldest open one.
 */
export async function publishAvails(db: Database, seller: string, put: PutAvails, surface: Surface): Promise<AvailsReply> {
  const { parsed, ...read } = await parseEntries(Avail, 'avails', put.avails)
  const named = [...new Set(parsed.map(({ value }) => value.product_id))]
  const laidDown = parsed.length > MANY ? await layDown(db, seller, named, parsed) : undefined
  try {
    return await withPublishLock(db, seller, async (tx, held) => {
      const products = await findProducts(tx, seller, named)
      // A catalog that changed meanwhile is rare: then the avails go in as few ones do.
      const ready = laidDown !== undefined && sameCounts(laidDown.products, products) ? laidDown : undefined
      const staged = ready?.staged ?? stageAvails(products, parsed)
      const avails = staged.accepted.map(({ value }) => value)
      await save(tx, seller, avails, ready?.publishId)
      await answerAsked(tx, seller, products, avails)
      if (surface === 'api') await markUsesApi(tx, held)
      return outcomeOf(put.avails, read, staged)
    })
  } finally {
    if (laidDown !== undefined) await clearStaged(db, laidDown.publishId)
  }
}

/** Entries above which laying down is worth its round trips. */
const MANY = 5_000

async function layDown(db: Database, seller: string, named: readonly string[], parsed: readonly Parsed<Avail>[]) {
  const products = await findProducts(db.sql, seller, named)
  const staged = stageAvails(products, parsed)
  const publishId = await stageForMerge(
    db,
    staged.accepted.map(({ value }) => value),
  )
  return { products, staged, publishId }
}

type Products = ReadonlyMap<string, Product>

/** Whether the rules for avails see no difference between two looks at the products: those that exist, and what they count. */
function sameCounts(before: Products, now: Products): boolean {
  if (before.size !== now.size) return false
  return [...now].every(([id, product]) => {
    const earlier = before.get(id)
    return earlier !== undefined && denomination(earlier) === denomination(product)
  })
}

async function save(tx: Tx, seller: string, avails: readonly Avail[], publishId: string | undefined): Promise<void> {
  if (publishId === undefined) await saveAvails(tx, seller, avails)
  else await mergeStaged(tx, seller, publishId)
}
