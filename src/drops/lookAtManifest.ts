import type { StoredObject } from '../adapters/objectStorage.ts'
import { type DropError, type DropWarning, Manifest } from '../contract/drop.ts'
import { type Fault, faultsOf } from '../contract/errorEnvelope.ts'
import { unknownMembers } from '../contract/unknownMembers.ts'
import { MANIFEST_BYTES, MANIFEST_FILE } from '../contract/vocabulary/drops.ts'
import { invalid, Refusal, refuse } from '../domain/refusal.ts'
import { strictJson } from '../domain/strictJson.ts'
import { endManifest, type LandedManifest, lookLater, noteManifests } from '../store/drops/landedManifests.ts'
import { refuseManifest } from '../store/drops/refuseManifest.ts'
import { objectOf } from './dropNames.ts'
import { landResult } from './landResult.ts'
import { type RegisterDeps, registerManifest } from './registerManifest.ts'

/** How long a look waits for files to be hashed. */
const PATIENCE_MS = 10_000
/** How long the files of a manifest may take to land, in seconds. */
const WHOLE_S = 15 * 60
const HOUR_S = 3_600

/**
 * Looks at a manifest.json that has landed: registers it, or refuses it with an errors.json. Files that are not there yet or have other bytes may still
 * be landing: then the manifest is looked at again, for 15 minutes. `waited` counts from when it was first seen.
 */
export async function lookAtManifest(deps: RegisterDeps, landed: LandedManifest & { waited: number }): Promise<void> {
  const { seller, drop_id, tag, waited } = landed
  const name = objectOf(seller, drop_id, MANIFEST_FILE)
  const object = await deps.drops.stat(name)
  if (object === undefined) return endManifest(deps.db, landed)
  const newest = landingOf(object)
  if (newest !== tag) return noteManifests(deps.db, seller, [{ drop_id, tag: newest }])
  try {
    const { manifest, warnings } = read(await bytesOf(deps, name), drop_id)
    try {
      await registerManifest(deps, seller, manifest, { patienceMs: PATIENCE_MS, warnings })
    } catch (error) {
      const seconds = secondsUntilNextLook(error, waited)
      if (seconds === undefined) throw error
      return lookLater(deps.db, landed, seconds)
    }
    await endManifest(deps.db, landed)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const retryAfter = await refuseManifest(deps.db, landed, errorsOf(error), deps.dropsPerDay)
    if (retryAfter !== undefined) return lookLater(deps.db, landed, Math.min(retryAfter, HOUR_S))
    await landResult(deps, seller, drop_id)
  }
}

/** Names one landing of a manifest.json. A bucket tags the same bytes alike whenever they land, and a manifest that was refused may land again as it is. */
export function landingOf({ tag, modifiedAt }: Pick<StoredObject, 'tag' | 'modifiedAt'>): string {
  return `${tag} ${modifiedAt}`
}

/** Undefined if no later look can help. */
function secondsUntilNextLook(error: unknown, waited: number): number | undefined {
  if (!(error instanceof Refusal)) return undefined
  if (error.code === 'UNAVAILABLE') return 1
  if (error.code === 'RATE_LIMITED') return Math.min(Number(error.details.retry_after ?? HOUR_S), HOUR_S)
  return waited < WHOLE_S ? Math.min(Math.max(waited / 4, 1), 30) : undefined
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
  const sent = strictJson(bytes, MOST_VALUES)
  const parsed = Manifest.safeParse(sent)
  if (!parsed.success) return refuse(faultsOf(Manifest, parsed.error.issues, sent))
  const manifest = parsed.data
  if (manifest.drop_id !== folder)
    return refuse([invalid('drop_id', `drop_id must be the name of the folder, ${folder}; ${manifest.drop_id} was sent.`)])
  const warnings = unknownMembers([Manifest], sent).map(({ code, pointer, nearest }) => {
    const message = `${pointer} is not a known member and was ignored${nearest === undefined ? '' : `; the nearest is ${nearest}`}.`
    return { file: MANIFEST_FILE, row: 0, code, message }
  })
  return { manifest, warnings }
}

/** Far more than a manifest of 64 files has. */
const MOST_VALUES = 100_000

/** What the POST would have answered, as errors of the file. */
function errorsOf({ message, faults }: Refusal): DropError[] {
  const found: readonly Pick<Fault, 'field' | 'message'>[] = faults.length > 0 ? faults : [{ message }]
  return found.map(({ field, message }) => ({
    ...{ file: MANIFEST_FILE, row: 0, error_code: 'INVALID_INPUT' as const, value: null },
    message: message.replace(/^The body/, 'The manifest'),
    ...(field === undefined ? {} : { field }),
  }))
}
