import { setTimeout as sleep } from 'node:timers/promises'
import type { DropResult, Manifest } from '../../contract/drop.ts'
import { DropFault } from './dropFault.ts'
import type { PlannedDrop } from './planDrop.ts'

/** The transfer of files to the marketplace and of the result back. */
export interface DropTransport {
  /** Uploads a file of the drop, replacing one of the same name. */
  put(dropId: string, filename: string, path: string): Promise<void>
  /** Registers the manifest after its files have been uploaded. */
  register(manifest: Manifest): Promise<void>
  /** Returns the current result; undefined before there is one. */
  result(dropId: string): Promise<DropResult | undefined>
  close(): Promise<void>
}

export interface Sending {
  /** Called with a short description of the current step whenever it changes. */
  onProgress: (text: string) => void
  signal: AbortSignal
  /** The longest wait for the result; 30 minutes by default. */
  withinMs?: number
}

/** Uploads the files of a drop, registers it and waits for its result. It is safe to send the drop again after a failure. */
export async function sendDrop(transport: DropTransport, { manifest, paths }: PlannedDrop, sending: Sending): Promise<DropResult> {
  const { signal, withinMs = 30 * 60_000 } = sending
  let last = ''
  const tell = (text: string) => {
    if (text !== last) sending.onProgress(text)
    last = text
  }
  const { drop_id: dropId } = manifest
  for (const [filename, path] of paths) {
    signal.throwIfAborted()
    tell(`Uploading ${filename}`)
    await transport.put(dropId, filename, path)
  }
  await transport.register(manifest)
  const deadline = Date.now() + withinMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const result = await transport.result(dropId)
    if (result !== undefined && result.status !== 'processing') return result
    if (Date.now() > deadline)
      throw new DropFault(`${dropId} is still being processed. Its result will be at ${resultAt(dropId)}.`, 'marketplace')
    tell(progressOf(result))
    await sleep(waitMs, undefined, { signal })
  }
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000

export function resultAt(dropId: string): string {
  return `/v1/me/files/${dropId}`
}

function progressOf(result: DropResult | undefined): string {
  if (result === undefined) return 'Waiting for the result'
  const { stage, rows_written: written, rows_rejected: rejected, reason } = result
  const rows = written + rejected === 0 ? '' : `, ${written} rows written, ${rejected} rejected`
  return `Processing: ${stage}${rows}${reason === undefined ? '' : `; ${reason}`}`
}
