import { createHash } from 'node:crypto'
import { type DropFile, DropId, DropName, formatOf } from '../../src/contract/drop.ts'
import type { ByteStream } from '../../src/contract/endpoints/endpoint.ts'
import type { Fault } from '../../src/contract/errorEnvelope.ts'
import { BYTES_PER_DROP, FILES_PER_DROP, MANIFEST_BYTES, MANIFEST_FILE, RESULT_FILES } from '../../src/contract/vocabulary/drops.ts'
import { bytesAllowed } from '../../src/domain/drops/landedFaults.ts'
import { invalid, Refusal, refuseIfAny } from '../../src/domain/refusal.ts'
import { objectOf } from '../../src/drops/dropNames.ts'
import { type DropFileKey, readLandings, recordLanding } from '../../src/store/drops/dropFiles.ts'
import { ringDrop } from '../../src/store/drops/landed.ts'
import type { Deps, Handler } from '../handler.ts'

/** Files that one process receives at once: of one seller, and of all. */
const AT_ONCE = { one: 8, all: 64 }
const receiving = new Map<string, number>()

/** PUT /me/files/{drop_id}/{filename}: 201. A file of the same name is replaced when all bytes have come; until then the earlier one is there. */
export const putDropFile: Handler<ByteStream> = async (deps, { caller, params, body }) => {
  const key = checkedKey(caller.entity, params)
  return receivingFor(key.seller, async () => {
    const most = await bytesLeft(deps, key)
    if (body.length !== undefined && body.length > most) throw tooLarge(most)
    const { sha256, size_bytes } = await store(deps, key, body, most)
    await recordLanding(deps.db, key, size_bytes)
    if (key.filename === MANIFEST_FILE) await ringDrop(deps.db, key.seller, key.drop_id)
    return { status: 201, body: { filename: key.filename, sha256, size_bytes } satisfies DropFile }
  })
}

function checkedKey(seller: string, { drop_id = '', filename = '' }: Readonly<Record<string, string>>): DropFileKey {
  const faults = [...nameFaults(DropId, 'drop_id', drop_id), ...nameFaults(DropName, 'filename', filename)]
  if ((RESULT_FILES as readonly string[]).includes(filename.toLowerCase()))
    faults.push(invalid('filename', `filename must not be ${RESULT_FILES.join(' or ')}, which the service writes.`))
  if (filename !== MANIFEST_FILE && filename.toLowerCase() === MANIFEST_FILE)
    faults.push(invalid('filename', `filename must be ${MANIFEST_FILE} in lower case; ${filename} was sent.`))
  refuseIfAny(faults)
  return { seller, drop_id, filename }
}

function nameFaults(schema: typeof DropId, field: string, name: string): Fault[] {
  const issues = schema.safeParse(name).error?.issues ?? []
  return issues.map(({ message }) => invalid(field, `${field} ${message}; ${JSON.stringify(name)} was sent.`))
}

/** Refuses at once what is past the bounds: a client that waits sends bytes all the same. */
async function receivingFor<T>(seller: string, receive: () => Promise<T>): Promise<T> {
  const own = receiving.get(seller) ?? 0
  if (own >= AT_ONCE.one) {
    const message = `The bound of ${AT_ONCE.one} files at once is reached: try again in 1 s.`
    throw new Refusal('RATE_LIMITED', message, { retry_after: 1, most: AT_ONCE.one })
  }
  const all = [...receiving.values()].reduce((sum, count) => sum + count, 0)
  if (all >= AT_ONCE.all) throw new Refusal('UNAVAILABLE', 'The service receives as many files as it can: try again in 1 s.')
  receiving.set(seller, own + 1)
  try {
    return await receive()
  } finally {
    const left = (receiving.get(seller) ?? 1) - 1
    if (left === 0) receiving.delete(seller)
    else receiving.set(seller, left)
  }
}

/** The most bytes that the file may have, under the bounds of files, drops and days (choices, File drops: limits). */
async function bytesLeft({ db, dropsPerDay }: Deps, key: DropFileKey): Promise<number> {
  const { files, bytes, drops_today } = await readLandings(db, key)
  if (dropsPerDay > 0 && drops_today >= dropsPerDay) {
    const message = `A seller may put files into ${dropsPerDay} drops in 24 hours.`
    throw new Refusal('RATE_LIMITED', message, { retry_after: 3_600, most: dropsPerDay })
  }
  if (key.filename === MANIFEST_FILE) return MANIFEST_BYTES
  if (files >= FILES_PER_DROP) {
    const message = `A drop has at most ${FILES_PER_DROP} files; ${key.drop_id} has them.`
    throw new Refusal('INVALID_INPUT', message, { field: 'filename', most: FILES_PER_DROP })
  }
  const format = formatOf({ filename: key.filename, type: 'catalog' })
  return Math.min(bytesAllowed(format), Math.max(BYTES_PER_DROP - bytes, 0))
}

async function store({ drops }: Deps, key: DropFileKey, { bytes, length }: ByteStream, most: number) {
  const hash = createHash('sha256')
  let size_bytes = 0
  async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size_bytes += chunk.length
      if (size_bytes > most) throw tooLarge(most)
      hash.update(chunk)
      yield chunk
    }
    if (length !== undefined && size_bytes < length) throw new Refusal('MALFORMED_REQUEST', 'The body ended before its stated length.')
  }
  await drops.put(objectOf(key.seller, key.drop_id, key.filename), checked())
  return { sha256: hash.digest('hex'), size_bytes }
}

function tooLarge(most: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The file is larger than the ${most} bytes that the drop takes.`, { most })
}
