import { createHash } from 'node:crypto'
import type { DropWarning, Manifest } from '../../contract/drop.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import { overLimit } from '../../domain/overLimit.ts'
import { invalid, refuseIfAny } from '../../domain/refusal.ts'
import type { DropRun } from '../../store/drops/drops.ts'
import type { LandedManifest } from '../../store/drops/landedManifests.ts'
import { findMapping } from '../../store/drops/mappings.ts'
import { findRepeated, findReplayed, registerDrop } from '../../store/drops/registerDrop.ts'
import type { HashDeps } from './hashObject.ts'
import { landResult } from './landResult.ts'
import { verifyFiles } from './verifyFiles.ts'

export interface RegisterDeps extends HashDeps {
  /** The most registrations of a seller in any 24 hours; 0 means no limit. */
  readonly dropsPerDay: number
}

export interface RegisterOptions {
  /** The longest time for hashing the files. */
  readonly patienceMs: number
  readonly warnings?: readonly DropWarning[]
  /** The manifest.json with this content. Registering it also ends its looks, so that none registers it again. */
  readonly landed?: LandedManifest
}

/**
 * Registers a manifest (API or manifest.json). Returns a new run, or the one whose result it replays, without files if the drop shows it.
 * Repeating a request to reprocess returns the run if it is still open. Refuses as `verifyFiles` does; RATE_LIMITED over a day's limit.
 */
export async function registerManifest(
  deps: RegisterDeps,
  seller: string,
  manifest: Manifest,
  { patienceMs, warnings = [], landed }: RegisterOptions,
): Promise<{ run: DropRun; isReplay: boolean }> {
  const { drop_id, schema_version, effective, reprocess = false } = manifest
  const identity = identityOf(manifest)
  const manifest_sha256 = sha256Of(JSON.stringify(manifest))
  const shown = await shownBefore()
  if (shown !== undefined) {
    // Whoever lands a manifest again may have removed the result, or has seen it removed while the manifest waited.
    if (landed !== undefined) await landResult(deps, seller, drop_id)
    return { run: shown, isReplay: true }
  }
  await refuseUnknownMappings(deps, seller, manifest)
  const files = await verifyFiles(deps, seller, manifest, patienceMs)
  const drop = { drop_id, schema_version, effective, files, identity, reprocess, manifest_sha256, warnings, landed }
  const registered = await registerDrop(deps.db, seller, drop, deps.dropsPerDay)
  if ('retryAfter' in registered) {
    const message = `A seller may register ${deps.dropsPerDay} drops in 24 hours.`
    throw overLimit({ limit: 'drops', most: deps.dropsPerDay, window_s: 86_400 }, message, registered.retryAfter)
  }
  // The result of an earlier run goes. If this fails, the run removes it when it begins, or the worker's next look writes a replayed result.
  await landResult(deps, seller, drop_id).catch(() => undefined)
  if ('run' in registered) return { run: registered.run, isReplay: false }
  return { run: registered.original, isReplay: true }

  async function shownBefore(): Promise<DropRun | undefined> {
    if (!reprocess) return findReplayed(deps.db, seller, drop_id, identity, manifest.files)
    // Each landing of a manifest.json is a separate request.
    return landed === undefined ? findRepeated(deps.db, seller, { drop_id, manifest_sha256 }) : undefined
  }
}

/** Refuses files that name a mapping that the seller does not have, or that is of another type. */
async function refuseUnknownMappings({ db }: RegisterDeps, seller: string, { files }: Manifest): Promise<void> {
  const faults: Fault[] = []
  for (const [index, { mapping, type }] of files.entries()) {
    if (mapping === undefined) continue
    const found = await findMapping(db, seller, mapping)
    if (found?.type === type) continue
    const why = found === undefined ? 'there is none of this name' : `it is one of ${found.type} files`
    faults.push(
      invalid(`files.${index}.mapping`, `files.${index}.mapping must name a mapping of ${type} files; ${why}: ${mapping} was sent.`),
    )
  }
  refuseIfAny(faults)
}

/** Returns a hash of the set of file hashes: names, types and order do not count (contract, File drops: idempotency). */
function identityOf({ files }: Manifest): string {
  const hashes = files.map(({ sha256 }) => sha256).sort()
  return sha256Of(hashes.join('\n'))
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
