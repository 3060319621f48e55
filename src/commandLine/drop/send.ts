import { readFile } from 'node:fs/promises'
import type { DropError, DropResult } from '../../contract/drop.ts'
import { apiTransport } from '../../sdk/dropClient/apiTransport.ts'
import { planDrop } from '../../sdk/dropClient/planDrop.ts'
import { type DropTransport, resultAt, sendDrop } from '../../sdk/dropClient/sendDrop.ts'
import { ownOperations } from '../../sdk/ownClient.ts'
import { Interrupted, RefusedFault, UsageFault } from '../exits.ts'
import { readJsonFile } from '../files.ts'
import { say, writeJson } from '../output.ts'
import type { GlobalOptions, Session } from '../session.ts'

/** Sends a folder as a drop, and prints its result as JSON. Fails with RefusedFault if anything was rejected. */
export async function sendFolder(session: Session, options: DropOptions & GlobalOptions, folder: string): Promise<void> {
  const plan = await planDrop(folder, options)
  const { drop_id, files } = plan.manifest
  say(`${drop_id}: ${files.map(({ filename, type }) => `${filename} (${type})`).join(', ')}`)
  if (plan.leftOut.length > 0) say(`Left out, since the name tells no type or no format: ${plan.leftOut.join(', ')}`)
  const transport = await openTransport(session, options)
  let isRegistered = false
  try {
    const register: DropTransport['register'] = async (manifest) => {
      await transport.register(manifest)
      isRegistered = true
    }
    await report(await sendDrop({ ...transport, register }, plan, { onProgress: say, signal: session.signal }))
  } catch (error) {
    if (session.signal.aborted) throw new Interrupted(isRegistered ? `Stopped waiting. ${goesOn(drop_id)}` : NOT_BEGUN)
    throw error
  } finally {
    await transport.close()
  }
}

const NOT_BEGUN = 'Stopped. A drop counts from its manifest on, so nothing of it does yet: send the folder again.'
const goesOn = (dropId: string) => `The drop is processed without this command; its result will be at ${resultAt(dropId)}.`

async function openTransport(session: Session, options: DropOptions & GlobalOptions): Promise<DropTransport> {
  if (options.sftp === undefined) return apiTransport(ownOperations(await session.client()))
  const { sftpTransport } = await import('../../sdk/dropClient/sftpTransport.ts')
  const { seller, sftp: named, key } = options
  const own = named === true ? await sandboxServer(options.credentials) : undefined
  const [, host, port] = /^(.+?)(?::(\d{1,5}))?$/.exec(own?.address ?? String(named)) ?? []
  const fingerprint = options.fingerprint ?? own?.fingerprint
  if (host === undefined) throw new UsageFault('Name the SFTP server as --sftp host:port.')
  if (seller === undefined) throw new UsageFault('Name the seller by --seller: it is the user name over SFTP.')
  if (fingerprint === undefined)
    throw new UsageFault('Give the fingerprint of the host key by --fingerprint SHA256:…; ask the marketplace for it.')
  const credential = key === undefined ? { token: await tokenOf(session, options) } : { privateKey: await keyIn(key) }
  return sftpTransport({ host, port: Number(port ?? 22), username: seller, fingerprint, ...credential })
}

/** Over SFTP there need be no address of the API. */
async function tokenOf(session: Session, { token }: GlobalOptions): Promise<string> {
  return token ?? (process.env.MARKETPLACE_TOKEN || (await session.access()).token)
}

async function keyIn(file: string): Promise<Buffer> {
  return readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageFault(`The key ${file} cannot be read (${code}).`)
  })
}

async function sandboxServer(file: string): Promise<{ address: string; fingerprint: string }> {
  const { sftp } = (await readJsonFile(file)).value as { sftp?: { host: string; port: number; fingerprint: string } }
  if (sftp === undefined) throw new UsageFault(`${file} names no SFTP server: name it as --sftp host:port.`)
  return { address: `${sftp.host}:${sftp.port}`, fingerprint: sftp.fingerprint }
}

async function report(result: DropResult): Promise<void> {
  const { drop_id, status, rows_written, rows_rejected, errors, errors_truncated, warnings } = result
  await writeJson(result)
  for (const error of errors.slice(0, SHOWN)) say(lineOf(error))
  if (errors.length > SHOWN || errors_truncated) say(`and ${errors_truncated ? 'many' : errors.length - SHOWN} more errors`)
  if (warnings.length > 0) say(`${warnings.length} warnings, such as: ${warnings[0]?.message}`)
  const sentence = `${drop_id}: ${status}, ${rows_written} rows written, ${rows_rejected} rejected`
  if (status !== 'success') throw new RefusedFault(sentence)
  say(sentence)
}

const SHOWN = 20

/** Writes `avails.csv:12: spots.available must be a whole number (INVALID_ENTRY)`, as compilers do, so that editors find the place. */
function lineOf({ file, row, error_code, message }: DropError): string {
  return `${file}${row === 0 ? '' : `:${row}`}: ${message} (${error_code})`
}

export interface DropOptions {
  readonly seller?: string
  readonly sftp?: string | true
  readonly key?: string
  readonly fingerprint?: string
  readonly credentials: string
  readonly dropId?: string
  readonly reprocess?: boolean
}
