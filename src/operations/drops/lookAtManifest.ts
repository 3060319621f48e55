import { Readable } from 'node:stream'
import type { StoredObject } from '../../adapters/files/objectStorage/storage.ts'
import { type DropError, type DropWarning, Manifest } from '../../contract/drop.ts'
import { type Fault, faultsOf } from '../../contract/errorEnvelope.ts'
import { nearestIs } from '../../contract/nearestName.ts'
import { unknownMembers } from '../../contract/unknownMembers.ts'
import { MANIFEST_BYTES, MANIFEST_FILE, SERVICE_FILES, WAITING_FILE } from '../../contract/vocabulary/drops.ts'
import { waitingResult } from '../../domain/drops/dropResult.ts'
import { invalid, Refusal, refuse } from '../../domain/refusal.ts'
import { strictJson } from '../../domain/strictJson.ts'
import { type ClaimedManifest, endManifest, lookLater, noteManifests, type Wait } from '../../store/drops/landedManifests.ts'
import { refuseManifest } from '../../store/drops/refuseManifest.ts'
import { objectOf } from './dropNames.ts'
import { landResult, readableJson } from './landResult.ts'
import { type RegisterDeps, registerManifest } from './registerManifest.ts'

/** How long a look waits for files to be hashed: briefly, since other sellers wait for its end. Hashing continues after that. */
const PATIENCE_MS = 2_000
/** The longest time for the files of a manifest to land, in seconds. */
const WHOLE_S = 15 * 60
const HOUR_S = 3_600

/**
 * Looks at a manifest.json that has landed and registers it, or refuses it with an errors.json. Files that are missing or have other bytes
 * may still be landing, so looks repeat for 15 minutes. The seller can read what the manifest waits for, in waiting.json among others.
 */
export async function lookAtManifest(deps: RegisterDeps, landed: ClaimedManifest): Promise<void> {
  const { seller, drop_id, tag, waited } = landed
  const name = objectOf(seller, drop_id, MANIFEST_FILE)
  const object = await deps.drops.stat(name)
  if (object === undefined) return end()
  const newest = landingOf(object)
  if (newest !== tag) return noteManifests(deps.db, seller, [{ drop_id, tag: newest }])
  try {
    const { manifest, warnings } = read(await bytesOf(deps, name), drop_id)
    try {
      await registerManifest(deps, seller, manifest, { patienceMs: PATIENCE_MS, warnings, landed })
    } catch (error) {
      const wait = waitOf(error, waited)
      if (wait === undefined) throw error
      return later(wait)
    }
    await end()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const errors = errorsOf(error)
    const retryAfter = await refuseManifest(deps.db, landed, errors, deps.dropsPerDay)
    if (retryAfter !== undefined) return later({ ...dailyLimit(retryAfter), errors })
    await landResult(deps, seller, drop_id)
  }

  async function later(wait: Wait): Promise<void> {
    if (wait.waits_for !== 'hashing_files') await showWaiting(deps, landed, wait)
    await lookLater(deps.db, landed, wait)
  }
  async function end(): Promise<void> {
    await deps.drops.delete(objectOf(seller, drop_id, WAITING_FILE))
    await endManifest(deps.db, landed)
  }
}

/** Writes the reason why a manifest waits beside it, unless it is already there, and removes an earlier result. */
async function showWaiting(
  { drops }: RegisterDeps,
  { seller, drop_id, first_seen_at }: ClaimedManifest,
  { waits_for, errors }: Wait,
): Promise<void> {
  const name = objectOf(seller, drop_id, WAITING_FILE)
  const bytes = readableJson(waitingResult({ drop_id, waits_for, errors, first_seen_at }))
  const before = await (await drops.get(name))?.toArray()
  if (before === undefined || !Buffer.concat(before).equals(bytes)) await drops.put(name, Readable.from([bytes]))
  // It takes the place of an earlier run, whose result would read as that of this manifest.
  for (const file of SERVICE_FILES) if (file !== WAITING_FILE) await drops.delete(objectOf(seller, drop_id, file))
}

/** Identifies one landing of a manifest.json. A bucket gives the same bytes the same tag, but a refused manifest may land again as is. */
export function landingOf({ tag, modifiedAt }: Pick<StoredObject, 'tag' | 'modifiedAt'>): string {
  return `${tag} ${modifiedAt}`
}

/** Returns the time and the purpose of the next look; undefined if no look can help. */
function waitOf(error: unknown, waited: number): Wait | undefined {
  if (!(error instanceof Refusal)) return undefined
  const errors = errorsOf(error)
  if (error.code === 'UNAVAILABLE') return { seconds: 1, waits_for: 'hashing_files', errors: [] }
  if (error.code === 'RATE_LIMITED') return { ...dailyLimit(Number(error.details.retry_after ?? HOUR_S)), errors }
  if (waited >= WHOLE_S) return undefined
  return { seconds: Math.min(Math.max(waited / 4, 1), 30), waits_for: 'waiting_for_files', errors }
}

function dailyLimit(retryAfter: number) {
  return { seconds: Math.min(retryAfter, HOUR_S), waits_for: 'daily_limit' } as const
}

async function bytesOf({ drops }: RegisterDeps, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of (await drops.get(name)) ?? []) {
    size += (chunk as Buffer).length
    if (size > MANIFEST_BYTES)
      throw new Refusal('PAYLOAD_TOO_LARGE', `${MANIFEST_FILE} must have at most ${MANIFEST_BYTES} bytes; it has more.`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function read(bytes: Buffer, folder: string): { manifest: Manifest; warnings: DropWarning[] } {
  const sent = strictJson(bytes, MAX_VALUES)
  const parsed = Manifest.safeParse(sent)
  if (!parsed.success) return refuse(faultsOf(Manifest, parsed.error.issues, sent))
  const manifest = parsed.data
  if (manifest.drop_id !== folder)
    return refuse([invalid('drop_id', `drop_id must be the name of the folder, ${folder}; ${manifest.drop_id} was sent.`)])
  const warnings = unknownMembers([Manifest], sent).map(({ code, pointer, nearest }) => {
    const message = `${pointer} is not a known member and was ignored${nearestIs(nearest)}.`
    return { file: MANIFEST_FILE, row: 0, code, message }
  })
  return { manifest, warnings }
}

/** The most values in a manifest, far more than one of 64 files has. */
const MAX_VALUES = 100_000

/** Returns the errors of the file: those with which the POST would have answered. */
function errorsOf({ message, faults }: Refusal): DropError[] {
  const found: readonly Pick<Fault, 'field' | 'message'>[] = faults.length > 0 ? faults : [{ message }]
  return found.map(({ field, message }) => ({
    ...{ file: MANIFEST_FILE, row: 0, error_code: 'INVALID_INPUT' as const, value: null },
    message: message.replace(/^The body/, 'The manifest'),
    ...(field === undefined ? {} : { field }),
  }))
}
