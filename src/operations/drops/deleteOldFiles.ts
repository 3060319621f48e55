import { deleteOldLandings, KEPT_DAYS, oldDrops } from '../../store/drops/oldDrops.ts'
import { folderOf } from './dropNames.ts'
import type { LandDeps } from './landResult.ts'

/**
 * Deletes the files of up to `limit` drops that ended long ago, including results, and returns the number of these drops. Keeps a file that
 * has landed since. The next call finds the drops that remain. Calls `forgotten` after each drop.
 */
export async function deleteOldFiles({ db, drops }: LandDeps, limit: number, forgotten: () => void): Promise<number> {
  const before = Date.now() - KEPT_DAYS * 86_400_000
  const old = await oldDrops(db, limit)
  for (const drop of old) {
    const { seller, drop_id } = drop
    const names: string[] = []
    let kept = 0
    for await (const { name, modifiedAt } of drops.list(folderOf(seller, drop_id))) {
      if (modifiedAt < before) names.push(name)
      else kept += 1
    }
    for (const name of names) await drops.delete(name)
    // An object beside the drops may have a drop's name. Deleting it also deletes everything below that name, so nothing may be kept there.
    const stray = await drops.stat(`${seller}/${drop_id}`)
    if (stray !== undefined && stray.modifiedAt < before && kept === 0) await drops.delete(stray.name)
    await deleteOldLandings(db, drop)
    forgotten()
  }
  return old.length
}
