import type { DropResult } from '../../contract/drop.ts'
import { apiTransport } from '../../sdk/dropClient/apiTransport.ts'
import { planDrop } from '../../sdk/dropClient/planDrop.ts'
import { type DropTransport, sendDrop } from '../../sdk/dropClient/sendDrop.ts'
import { sftpTransport } from '../../sdk/dropClient/sftpTransport.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import type { Credentials } from '../embedded/seedSandbox.ts'
import { approve } from './approve.ts'
import { clientFor } from './client.ts'
import { DemoFault } from './demoFault.ts'
import { orderOfDrop, writeDropFolder } from './dropFiles.ts'
import { feedCursor, untilReviewed } from './feed.ts'
import { fillOrder } from './fillOrder.ts'
import { tellOutcome } from './outcome.ts'
import { createOrder, freshId, readAvails } from './place.ts'
import type { Progress } from './progress.ts'
import { discover, readCatalog } from './publish.ts'
import { count, heading, line, table } from './story.ts'
import { tokenOf } from './tokenOf.ts'
import { BUYER } from './walk.ts'

const SELLER = 'lakeshore-28'

interface DropWalk {
  credentials: Credentials
  progress: Progress
  signal: AbortSignal
  /** The path of the station's folder. */
  folder: string
  /** The path of `folder` as a user can type it from the working directory. */
  shown: string
}

/** Shows how a station without any code of its own gets from a folder of files to a placed order. Returns the order's id. */
export async function walkDrop({ credentials, progress, signal, folder, shown }: DropWalk): Promise<string> {
  const { base_url: baseUrl, sellers, buyers } = credentials
  const asSeller = clientFor(baseUrl, tokenOf(sellers, SELLER), signal)
  const asBuyer = clientFor(baseUrl, tokenOf(buyers, BUYER), signal)
  const today = new Date().toISOString().slice(0, 10)
  const send = async () => {
    const transport = await openTransport(credentials, asSeller)
    try {
      return await sendDrop(transport, await planDrop(folder), { onProgress: progress.say, signal })
    } finally {
      progress.rest()
      await transport.close()
    }
  }

  heading('1  A station without an API of its own puts three files into a folder')
  const names = await writeDropFolder(folder, today, { corrected: false })
  for (const name of names) line(`${shown}/${name}`)

  heading('2  It sends the folder; one row names a product that does not exist')
  tellCommand(credentials, shown)
  const faulty = await send()
  tellResult(faulty)
  if (faulty.status !== 'partial') throw new DemoFault(`The first drop was to be partial and is ${faulty.status}.`)

  heading('3  It corrects the row and sends the folder again')
  await writeDropFolder(folder, today, { corrected: true })
  tellCommand(credentials, shown)
  const corrected = await send()
  tellResult(corrected)
  if (corrected.status !== 'success') throw new DemoFault(`The corrected drop was to succeed and is ${corrected.status}.`)

  heading(`4  A buyer, ${BUYER}, finds the station on sale, at level 0`)
  await discover(asBuyer)
  await readCatalog(SELLER, asBuyer)

  heading('5  It cites the prices of the files and orders')
  const { rate_version } = (await asBuyer.getCatalog({ path: { seller: SELLER } })).body
  const order = orderOfDrop(SELLER, today, rate_version ?? '')
  const cited = await readAvails(order, asBuyer)
  const after = await progress.during('Reading the event feed to its end', feedCursor(asBuyer))
  const { order_id: orderId } = await createOrder(fillOrder(order, cited, freshId()), asBuyer)
  await progress.during('Waiting for seller_review in the event feed', untilReviewed({ asBuyer, orderId, after, signal }))

  heading(`6  A person at ${SELLER} approves it with a console credential`)
  await approve(orderId, asSeller, { decision: 'approve', actor: 'Mia Torres, Lakeshore traffic', reason: 'Clears.' })

  heading('7  The buyer reads the outcome')
  await tellOutcome(orderId, asBuyer)
  return orderId
}

/** Sends the files by SFTP if the marketplace serves it, else over the API. */
async function openTransport({ sftp, sellers }: Credentials, asSeller: Operations): Promise<DropTransport> {
  return sftp === undefined ? apiTransport(asSeller) : sftpTransport({ ...sftp, username: SELLER, token: tokenOf(sellers, SELLER) })
}

function tellCommand({ sftp }: Credentials, shown: string): void {
  line(`npx order-marketplace drop send ${shown} --seller ${SELLER}${sftp === undefined ? '' : ' --sftp'}`)
}

function tellResult({ drop_id, status, rows_written, rows_rejected, errors }: DropResult): void {
  line(`${drop_id}: ${status}, ${count(rows_written)} rows written, ${count(rows_rejected)} rejected`)
  if (errors.length === 0) return
  line('errors.json, in the folder of the files:')
  table(
    ['file', 'row', 'error_code', 'field', 'value', 'message'],
    errors.map(({ file, row, error_code, field = '', value, message }) => [file, String(row), error_code, field, String(value), message]),
    ['row'],
  )
}
