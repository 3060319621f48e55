import { readConfig } from '../config/index.ts'
import { beginFeedEra } from '../store/delivery/feedEra.ts'
import { wakeOpenOrders } from '../store/orders/wakeOpenOrders.ts'
import { recountCredit } from '../store/tenants/credit.ts'
import { endWith } from './endWith.ts'
import { onDatabase } from './onDatabase.ts'

/** `npm run restored`, after a restore: keeps cursors valid, recounts credit and wakes open orders (docs/operate/backup.md). */
async function main(): Promise<void> {
  await onDatabase(readConfig(), async (databaseUrl) => {
    await beginFeedEra(databaseUrl)
    process.stdout.write('A new era of the feed has begun: readers continue with their cursors.\n')
    await recountCredit(databaseUrl)
    process.stdout.write('What is drawn on the credit of agreements is counted again.\n')
    const orders = await wakeOpenOrders(databaseUrl)
    process.stdout.write(`${orders} open ${orders === 1 ? 'order gets its run' : 'orders get their runs'} when a worker starts.\n`)
  })
}

main().catch(endWith)
