import { DROPS } from '../../metrics/work.ts'
import { withPublishLock } from '../../store/catalog/publishLock.ts'
import { askedAvails } from '../../store/drops/dropAvails.ts'
import { type DropName, wakeNextDrop } from '../../store/drops/dropRun.ts'
import { endDrop } from '../../store/drops/endDrop.ts'
import { answerAvailsRequests } from '../publishing/answerAvailsRequests.ts'
import { namedProducts } from '../publishing/namedProducts.ts'
import { landResult } from './landResult.ts'
import { atStage, type StageDeps } from './stage.ts'

/** Answers, once, the buyers' requests for the products whose avails the drop brought, and ends the drop with its result. */
export async function finishDrop(deps: StageDeps, name: DropName): Promise<void> {
  await atStage(deps.db, name, 'finish', async (run) => {
    const outcome = await withPublishLock(deps.db, run.seller, (publishing) =>
      publishing.commit(async (tx) => {
        const ended = await endDrop(publishing.client, run)
        const avails = await askedAvails(publishing.client, run)
        const products = await namedProducts(
          publishing,
          avails.map(({ product_id }) => product_id),
        )
        await answerAvailsRequests(tx, run.seller, products, avails)
        await wakeNextDrop(publishing.client, run.seller)
        return ended
      }),
    )
    if (outcome !== undefined) DROPS.inc({ outcome })
    await landResult(deps, run.seller, run.drop_id).catch(() => undefined) // otherwise a later look of the worker writes it
    await deps.spool.remove(run)
  })
}
