import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresUrl } from '../../src/local/embedded/postgres.ts'
import type { Operations } from '../../src/sdk/ownClient.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { orderBody } from './market.ts'
import type { Product } from './product.ts'
import type { Parties, TrackedOrder } from './traffic.ts'

/** Texts that no log may contain, by name: credentials, and words that tenants write. */
type Secrets = ReadonlyMap<string, string>

export interface PlantedSecrets {
  readonly secrets: Secrets
  /** Places an order by document, and one whose mail and attachment contain the words; `finish` completes both. */
  begin(name: string): Promise<{ finish(): Promise<TrackedOrder[]> }>
  close(): void
}

/** Creates every kind of secret that the product stores, and follows the orders of a buyer by webhook. */
export async function plantSecrets(
  product: Pick<Product, 'dataDir' | 'credentials' | 'processesOf'>,
  parties: Parties,
): Promise<PlantedSecrets> {
  const secrets = new Map(await credentialsOf(product))
  const word = (what: string): string => {
    const text = `planted${randomBytes(9).toString('hex')}`
    secrets.set(what, text)
    return text
  }
  const [buyer, asBuyer] = Object.entries(parties.buyers)[0] as [string, Operations]
  const { seller } = parties
  const receiver = await startReceiver()
  const endpoint = await asBuyer.createWebhookEndpoint({ body: { url: receiver.url, events: ['order.status_changed'] } })
  secrets.set('the secret of an endpoint', endpoint.body.secret.replace('whsec_', ''))
  await seller.putSecret({ path: { name: 'pull-key' }, body: { value: word('the secret of a seller') } })
  await seller.putCapabilities({ body: { modes: { catalog: true, proposal: true, document: true } } })
  const agreement_id = 'agr-planted'
  await seller.grantAgreement({
    path: { agreement_id },
    body: {
      buyer_entity: buyer,
      effective: { start: '2026-01-01', end: '2030-12-31' },
      edi: { to: `${word('a mail address')}@agency.example`, formats: ['scx', 'csv'] },
    },
  })
  const written = {
    advertiser_id: word('an advertiser'),
    estimate_id: word('an estimate'),
    buyer_contact: { name: word('a contact'), email: `${word('the address of a contact')}@agency.example` },
  }
  const words = {
    sheet: word('the content of a document'),
    file: word('the name of a file'),
    actor: word('an actor'),
    reason: word('a reason'),
  }
  const work = { buyer, asBuyer, seller, market: parties.market, words }
  return {
    secrets,
    begin: async (name) => {
      const sheet = await uploaded(asBuyer, SHEET(words.sheet), words.file)
      const byDocument = await placed(work, { ...bodyOf(work, `${name}-document`, written), line_items: undefined, ...documentOf(sheet) })
      const attachments = [{ ...sheet, role: 'buysheet', filename: `${words.file}.csv` }]
      const byMail = await placed(work, { ...bodyOf(work, `${name}-mail`, written), agreement_id, attachments })
      const finish = async () => [await canceled(work, byDocument), await approved(work, byMail)]
      return { finish }
    },
    close: receiver.close,
  }
}

/** Returns the names of the secrets in a text. */
export function secretsIn(text: string, secrets: Secrets): string[] {
  return [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => what)
}

/** Returns the output of all processes of a product and the logs of its engines. */
export async function logsOf(dataDir: string, said: string): Promise<string> {
  const logs = ['postgres.log', 'temporal.log'].flatMap((name) => [name, `${name}.1`])
  return [said, ...(await Promise.all(logs.map((name) => readFile(join(dataDir, name), 'utf8').catch(() => ''))))].join('\n')
}

async function credentialsOf({ dataDir, credentials, processesOf }: Parameters<typeof plantSecrets>[0]): Promise<[string, string][]> {
  const { sellers, buyers } = credentials
  const tokens = Object.entries({ ...sellers, ...buyers }).map(([tenant, it]): [string, string] => [
    `the token of ${tenant}`,
    it?.token ?? '',
  ])
  const hostKey = (await readFile(join(dataDir, 'sftp_host_key'), 'utf8')).split('\n')[1] ?? ''
  const [api] = await processesOf('api')
  // This works only on Linux; the password is nowhere on the disk.
  const environment = await readFile(`/proc/${api}/environ`, 'utf8').catch(() => '')
  const login = environment.split('\0').find((line) => line.startsWith('DATABASE_URL='))
  const all: [string, string][] = [
    ...tokens,
    ['the key of the secrets', (await readFile(join(dataDir, 'secrets.key'), 'utf8')).trim()],
    ['the host key', hostKey],
    ['the password of the database', new URL(await postgresUrl(dataDir)).password],
    ...(login === undefined
      ? []
      : [['the password of the API', new URL(login.slice(login.indexOf('=') + 1)).password] as [string, string]]),
  ]
  for (const [what, secret] of all) if (secret.length < 16) throw new Error(`${what} cannot be looked for: it is too short`)
  return all
}

/** A sheet with five spots of the market's product in its first week. */
const SHEET = (word: string) =>
  Buffer.from(`${word},,,,,\nProduct ID,Week,Spot Length,Units,Unit Cost,Amount\nprime-access,2030-W01,30,5,1250.50,6252.50\n`)

interface File {
  readonly upload_id: string
  readonly format: 'csv'
  readonly sha256: string
}

async function uploaded(asBuyer: Operations, bytes: Buffer, filename: string): Promise<File> {
  const announced = { filename: `${filename}.csv`, format: 'csv' as const, size_bytes: bytes.length }
  const { upload_id } = (await asBuyer.createUpload({ body: announced })).body
  await asBuyer.putUploadContent({ path: { upload_id }, body: bytes.toString(), contentType: 'text/csv' })
  return { upload_id, format: 'csv', sha256: createHash('sha256').update(bytes).digest('hex') }
}

function documentOf({ upload_id, format }: File): object {
  return { document: { upload_id, format }, flight: { start: '2029-12-31', end: '2030-01-06' } }
}

interface Work {
  readonly buyer: string
  readonly asBuyer: Operations
  readonly seller: Operations
  readonly market: Parties['market']
  readonly words: { readonly actor: string; readonly reason: string }
}

function bodyOf({ market }: Work, externalOrderId: string, buyer_metadata: object): object {
  return { ...JSON.parse(orderBody(market, externalOrderId)), buyer_metadata }
}

type Placed = Omit<TrackedOrder, 'expected'>

async function placed({ buyer, asBuyer }: Work, order: object): Promise<Placed> {
  const body = JSON.stringify(order)
  const reply = await asBuyer.createOrder({ body })
  return { orderId: reply.body.order_id, buyer, body, reply: reply.text }
}

async function canceled(work: Work, order: Placed): Promise<TrackedOrder> {
  await reaches(work, order, 'needs_confirmation')
  await work.asBuyer.cancelOrder({ path: { order_id: order.orderId }, body: work.words })
  return { ...order, expected: 'canceled' }
}

/** Approves an order and waits until its mail is sent too. */
async function approved(work: Work, order: Placed): Promise<TrackedOrder> {
  const path = { order_id: order.orderId }
  await reaches(work, order, 'seller_review')
  await work.seller.decideOrder({ path, body: { decision: 'approve', actor: work.words.actor, reason: work.words.reason } })
  await eventually(`the mail of ${order.orderId} to be sent`, async () => {
    const { items } = (await work.asBuyer.listEdiMails({ path })).body
    return items.some(({ status }) => status === 'sent')
  })
  return { ...order, expected: 'placed' }
}

function reaches({ asBuyer }: Work, { orderId }: Placed, status: string): Promise<void> {
  return eventually(`${orderId} to become ${status}`, async () => {
    const { body } = await asBuyer.getOrder({ path: { order_id: orderId } })
    if (body.status === 'failed') throw new Error(`${orderId} failed where ${status} was expected`)
    return body.status === status
  })
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 240_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(100)
  }
}
