import { type components, itemsOf, type Operations } from '../../client/src/index.ts'
import { UsageFault } from './exits.ts'
import { readJsonFile } from './files.ts'
import { sentFrom } from './locatedFaults.ts'
import { type TableColumn, write, writeJson, writeTable } from './output.ts'
import type { Session } from './session.ts'

type Schemas = components['schemas']
type Listed = Schemas['MakegoodList']['items'][number]
type Query = NonNullable<NonNullable<Parameters<Operations['listMakegoods']>[0]>['query']>

export async function listMakegoods(session: Session, { order, status, product, since, limit }: ListMakegoodsOptions): Promise<void> {
  const { operations } = await session.client()
  const list = (await session.side()) === 'buyer' ? operations.listMakegoods : operations.listReceivedMakegoods
  const query: Query = {
    ...(order !== undefined && { order_id: order }),
    // The service says which statuses there are.
    ...(status !== undefined && { status: status as NonNullable<Query['status']> }),
    ...(product !== undefined && { product }),
    ...(since !== undefined && { since }),
    limit: Math.min(limit, 100),
  }
  const rows: Listed[] = []
  const pages = itemsOf(async (cursor) => (await list({ query: { ...query, ...cursor } })).body)
  for await (const makegood of pages) if (rows.push(makegood) >= limit) break
  return session.json ? writeJson(rows) : writeTable(MAKEGOODS, rows)
}

const MAKEGOODS: readonly TableColumn<Listed>[] = [
  { head: 'makegood', of: ({ makegood_id }) => makegood_id },
  { head: 'order', of: ({ order_id }) => order_id },
  { head: 'status', of: ({ status }) => status },
  { head: 'for', of: (makegood) => makegood.for.map(({ unit_id, date, units }) => `${unit_id} ${date} x${units}`).join(', ') },
  {
    head: 'offers',
    of: ({ offers }) => offers.map(({ offer_id, product_id, date, units }) => `${offer_id}: ${product_id} ${date} x${units}`).join(', '),
  },
  { head: 'answer until', of: ({ expires_at }) => expires_at },
]

export async function offerMakegood(session: Session, options: OfferOptions, order_id: string, makegood_id?: string): Promise<void> {
  const { operations } = await session.client()
  if (options.recall === true) {
    if (makegood_id === undefined) throw new UsageFault('Name the makegood that is recalled.')
    const body = { action: 'recall' as const, ...(options.note !== undefined && { note: options.note }) }
    return told(session, (await operations.reviseMakegood({ path: { order_id, makegood_id }, body })).body)
  }
  const { file } = options
  if (file === undefined) throw new UsageFault('Give the notice or the offers by -f, or recall a makegood by --recall.')
  const { text } = await readJsonFile(file)
  const reply = await sentFrom<{ body: Schemas['Makegood'] }>(file, text, () =>
    makegood_id === undefined
      ? operations.noticeMakegood({ path: { order_id }, body: text })
      : operations.reviseMakegood({ path: { order_id, makegood_id }, body: text }),
  )
  await told(session, reply.body)
}

export async function answerMakegood(session: Session, options: AnswerOptions, order_id: string, makegood_id: string): Promise<void> {
  const { operations } = await session.client()
  const action = options.accept === true ? 'accept' : options.decline === true ? 'decline' : options.credit === true ? 'credit' : undefined
  if (action === undefined) throw new UsageFault('Say --accept, --decline or --credit.')
  const { version, offers } = (await operations.getMakegood({ path: { order_id, makegood_id } })).body
  const { offer = action === 'accept' && offers.length === 1 ? offers[0]?.offer_id : undefined, note, actor } = options
  if (action === 'accept' && offer === undefined && offers.length > 0)
    throw new UsageFault(`Name the offer that is taken by --offer: ${offers.map(({ offer_id }) => offer_id).join(', ')}.`)
  const more = {
    ...(offer !== undefined && { offer_id: offer }),
    ...(note !== undefined && { note }),
    ...(actor !== undefined && { actor }),
  }
  await told(session, (await operations.answerMakegood({ path: { order_id, makegood_id }, body: { action, version, ...more } })).body)
}

async function told(session: Session, makegood: Schemas['Makegood']): Promise<void> {
  const { makegood_id, status, version, expires_at } = makegood
  if (session.json) return writeJson(makegood)
  const until = status === 'offered' && expires_at !== null ? `, to be answered until ${expires_at}` : ''
  await write(`${makegood_id} ${status}, version ${version}${until}\n`)
}

export interface ListMakegoodsOptions {
  readonly order?: string
  readonly status?: string
  readonly product?: string
  readonly since?: string
  readonly limit: number
}

export interface OfferOptions {
  readonly file?: string
  readonly recall?: boolean
  readonly note?: string
}

export interface AnswerOptions {
  readonly accept?: boolean
  readonly decline?: boolean
  readonly credit?: boolean
  readonly offer?: string
  readonly note?: string
  readonly actor?: string
}
