import { createHash } from 'node:crypto'
import { type DropFile, DropFilename, DropId } from '../../../src/contract/drop.ts'
import type { ByteStream } from '../../../src/contract/endpoints/endpoint.ts'
import type { Fault } from '../../../src/contract/errorEnvelope.ts'
import { FILES_PER_DROP, MANIFEST_FILE, SERVICE_FILES } from '../../../src/contract/vocabulary/drops.ts'
import type { LandingBounds } from '../../../src/domain/drops/landingRoom.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { invalid, Refusal, refuseIfAny } from '../../../src/domain/refusal.ts'
import { objectOf } from '../../../src/operations/drops/dropNames.ts'
import type { DropFileKey } from '../../../src/store/drops/dropFiles.ts'
import { notifyLanding } from '../../../src/store/drops/landed.ts'
import { abandonLanding, beginLanding, endLanding, growLanding, type Landing } from '../../../src/store/drops/landings.ts'
import type { Deps, Handler } from '../../http/handler.ts'

/** The most files that one process receives at once: per seller, and in total. */
const MAX_CONCURRENT = { perTenant: 8, total: 64 }
const receiving = new Map<string, number>()

/** PUT /me/files/{drop_id}/{filename}: 201. Replaces a file of the same name once all bytes have arrived, and not before. */
export const putDropFile: Handler<ByteStream> = async (deps, { caller, params, body }) => {
  const key = checkedKey(caller.entity, params)
  return receivingFor(key.seller, async () => {
    const landing = await beginLanding(deps.db, key, { needed: body.length ?? 0 }, boundsOf(deps))
    try {
      const { sha256, size_bytes } = await store(deps, landing, body)
      await endLanding(deps.db, landing, size_bytes)
      if (key.filename === MANIFEST_FILE) await notifyLanding(deps.db, key.seller, key.drop_id)
      return { status: 201, body: { filename: key.filename, sha256, size_bytes } satisfies DropFile }
    } catch (error) {
      // If this fails too, the landing expires.
      await abandonLanding(deps.db, landing).catch(() => undefined)
      throw error
    }
  })
}

function checkedKey(seller: string, { drop_id = '', filename = '' }: Readonly<Record<string, string>>): DropFileKey {
  const faults = [...nameFaults(DropId, 'drop_id', drop_id), ...nameFaults(DropFilename, 'filename', filename)]
  if ((SERVICE_FILES as readonly string[]).includes(filename.toLowerCase()))
    faults.push(invalid('filename', `filename must not be ${SERVICE_FILES.join(', ')}, which the service writes.`))
  if (filename !== MANIFEST_FILE && filename.toLowerCase() === MANIFEST_FILE)
    faults.push(invalid('filename', `filename must be ${MANIFEST_FILE} in lower case; ${filename} was sent.`))
  refuseIfAny(faults)
  return { seller, drop_id, filename }
}

function nameFaults(schema: typeof DropId | typeof DropFilename, field: string, name: string): Fault[] {
  const issues = schema.safeParse(name).error?.issues ?? []
  return issues.map(({ message }) => invalid(field, `${field} ${message}; ${JSON.stringify(name)} was sent.`))
}

/** Refuses files beyond the bounds immediately, since a client that had to wait would still send its bytes. */
async function receivingFor<T>(seller: string, receive: () => Promise<T>): Promise<T> {
  const own = receiving.get(seller) ?? 0
  if (own >= MAX_CONCURRENT.perTenant) {
    const message = `The bound of ${MAX_CONCURRENT.perTenant} files at once is reached: try again in 1 s.`
    throw overLimit({ limit: 'files', most: MAX_CONCURRENT.perTenant }, message, 1)
  }
  const all = [...receiving.values()].reduce((sum, count) => sum + count, 0)
  if (all >= MAX_CONCURRENT.total) throw new Refusal('UNAVAILABLE', 'The service receives as many files as it can: try again in 1 s.')
  receiving.set(seller, own + 1)
  try {
    return await receive()
  } finally {
    const left = (receiving.get(seller) ?? 1) - 1
    if (left === 0) receiving.delete(seller)
    else receiving.set(seller, left)
  }
}

function boundsOf({ dropsPerDay, dropBytesPerSeller }: Deps): LandingBounds {
  return { dropsPerDay, dropBytesPerSeller, filesPerDrop: FILES_PER_DROP }
}

/** The number of bytes that a body without a stated length reserves in advance. */
const STEP_BYTES = 32 * 1024 * 1024

async function store(deps: Deps, begun: Landing, { bytes, length }: ByteStream) {
  const hash = createHash('sha256')
  let landing = begun
  let size_bytes = 0
  async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size_bytes += chunk.length
      if (size_bytes > landing.bytes)
        landing = await growLanding(deps.db, landing, { needed: size_bytes, wanted: size_bytes + STEP_BYTES }, boundsOf(deps))
      hash.update(chunk)
      yield chunk
    }
    if (length !== undefined && size_bytes < length) throw new Refusal('MALFORMED_REQUEST', 'The body ended before its stated length.')
  }
  await deps.drops.put(objectOf(begun.seller, begun.drop_id, begun.filename), checked())
  return { sha256: hash.digest('hex'), size_bytes }
}
