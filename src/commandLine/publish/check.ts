import type { components } from '../../../client/src/index.ts'
import { Refusal } from '../../domain/refusal.ts'
import { strictJson } from '../../domain/strictJson.ts'
import { catalogOf, checkPublish } from '../../operations/publishing/checkPublish.ts'
import { RefusedFault, UsageFault } from '../exits.ts'
import { readBytes } from '../files.ts'
import { say } from '../output.ts'
import type { PublishBody, Published, PublishOptions } from './readPublish.ts'

type Catalog = Awaited<ReturnType<typeof catalogOf>>['products']

/** Checks a body by the rules of the service, without one. Fails with RefusedFault if the service would refuse it as a whole. */
export async function checkBody(what: Published, { file, catalog }: PublishOptions, body: PublishBody): Promise<PublishAnswer> {
  const known = catalog === undefined ? undefined : await readCatalog(catalog)
  const checked = await checkPublish(Buffer.from(body.text), known)
  if (checked === undefined) throw new UsageFault(`${file} is not a body of publish ${what}.`)
  for (const note of checked.notes) say(note)
  const answer = checked.answer as PublishAnswer | Envelope
  if (!('error_code' in answer)) return answer
  const places = (answer.details.errors ?? []).flatMap(({ pointer = '', message }) =>
    pointer === '' ? [] : [`${file}:${body.rowOfPointer(pointer)}: ${message}`],
  )
  throw new RefusedFault([`${file} would be refused: ${answer.error_code}, ${answer.error_message}`, ...places].join('\n'))
}

interface Envelope {
  readonly error_code: string
  readonly error_message: string
  readonly details: { readonly errors?: readonly { pointer?: string; message: string }[] }
}

async function readCatalog(file: string): Promise<Catalog> {
  const bytes = await readBytes(file)
  try {
    const body = strictJson(bytes) as { products?: unknown } | null
    if (!Array.isArray(body?.products)) throw new UsageFault(`${file} is not a catalog: it must contain products[].`)
    const { products, leftOut } = await catalogOf(body.products)
    if (leftOut > 0) say(`${leftOut} products of ${file} are refused themselves, and count as unknown.`)
    return products
  } catch (error) {
    if (error instanceof Refusal) throw new UsageFault(`${file} cannot be used as a catalog. ${error.message}`)
    throw error
  }
}

export type PublishAnswer = Pick<Schemas['AvailsReply'], 'accepted' | 'rejected' | 'errors' | 'warnings'>

export type Schemas = components['schemas']
