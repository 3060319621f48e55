import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { readConfig } from '../config/index.ts'
import type { DropError, DropResult } from '../contract/drop.ts'
import { readCredentials } from '../local/embedded/seedSandbox.ts'
import { openClient } from '../sdk/client/client.ts'
import { apiTransport } from '../sdk/dropClient/apiTransport.ts'
import { DropFault } from '../sdk/dropClient/dropFault.ts'
import { planDrop } from '../sdk/dropClient/planDrop.ts'
import { type DropTransport, sendDrop } from '../sdk/dropClient/sendDrop.ts'
import { sftpTransport } from '../sdk/dropClient/sftpTransport.ts'
import { endWith } from './endWith.ts'

/**
 * `npm run -s drop -- send <folder>`: sends a folder of files as a drop and waits for its result, which goes to standard output as JSON;
 * messages for people go to standard error. Exit code 1 when anything was rejected, 2 when the drop cannot be sent.
 */
const program = new Command('drop').description('Send catalog, rate card, avails and delivery files to the marketplace.')

program
  .command('send <folder>')
  .description('upload the files of a folder, register them and wait for the result')
  .option('--seller <seller>', 'whose drop it is: the user name over SFTP, and the tenant whose token credentials.json of a sandbox gives')
  .option('--url <url>', 'the address of the API; that of credentials.json if left out')
  .option('--token <token>', 'a token with the scope catalog:write; MARKETPLACE_TOKEN, else that of credentials.json')
  .option('--sftp [host:port]', 'send by SFTP alone; the server of credentials.json if no other is named')
  .option('--key <file>', 'a private key for SFTP, in place of the token')
  .option('--fingerprint <fingerprint>', "the SHA256 fingerprint of the SFTP server's host key")
  .option('--drop-id <id>', "the drop's name; without it, the folder's name with a hash of its files")
  .option('--reprocess', 'process the same files again')
  .action(send)

interface Options {
  seller?: string
  url?: string
  token?: string
  sftp?: string | true
  key?: string
  fingerprint?: string
  dropId?: string
  reprocess?: boolean
}

async function send(folder: string, options: Options): Promise<void> {
  const stopping = new AbortController()
  process.once('SIGINT', () =>
    stopping.abort(new DropFault('Stopped. Send the folder again to continue; files that have arrived are not sent twice.')),
  )
  const plan = await planDrop(folder, options)
  const { drop_id, files } = plan.manifest
  say(`${drop_id}: ${files.map(({ filename, type }) => `${filename} (${type})`).join(', ')}`)
  if (plan.leftOut.length > 0) say(`Left out, since the name tells no type or no format: ${plan.leftOut.join(', ')}`)
  const transport = await openTransport(options)
  try {
    report(await sendDrop(transport, plan, { onProgress: say, signal: stopping.signal }))
  } finally {
    await transport.close()
  }
}

async function openTransport(options: Options): Promise<DropTransport> {
  const { seller } = options
  const sandbox = await readCredentials(readConfig().dataDir)
  const token = options.token ?? process.env.MARKETPLACE_TOKEN ?? (seller === undefined ? undefined : sandbox.sellers?.[seller]?.token)
  if (options.sftp === undefined) {
    const baseUrl = options.url ?? sandbox.base_url
    if (baseUrl === undefined) throw new DropFault(`Name the address of the API by --url. ${NO_SANDBOX}`)
    if (token === undefined) throw new DropFault(`Give a token by --token or MARKETPLACE_TOKEN. ${NO_SANDBOX}`)
    return apiTransport(openClient({ baseUrl, token, timeoutMs: UPLOAD_MS, retry: { withinMs: UPLOAD_MS } }))
  }
  const { sftp } = sandbox
  const address = options.sftp === true ? sftp && `${sftp.host}:${sftp.port}` : options.sftp
  const [, host, port] = /^(.+?)(?::(\d{1,5}))?$/.exec(address ?? '') ?? []
  const fingerprint = options.fingerprint ?? (options.sftp === true ? sftp?.fingerprint : undefined)
  if (host === undefined) throw new DropFault(`Name the SFTP server as --sftp host:port. ${NO_SANDBOX}`)
  if (seller === undefined) throw new DropFault('Name the seller by --seller: it is the user name over SFTP.')
  if (fingerprint === undefined)
    throw new DropFault('Give the fingerprint of the host key by --fingerprint SHA256:…; ask the marketplace for it.')
  const privateKey = options.key === undefined ? undefined : await readFile(options.key)
  if (privateKey === undefined && token === undefined)
    throw new DropFault('Give a token by --token or MARKETPLACE_TOKEN, or a private key by --key.')
  return sftpTransport({
    host,
    port: Number(port ?? 22),
    username: seller,
    fingerprint,
    ...(privateKey === undefined ? { token } : { privateKey }),
  })
}

const UPLOAD_MS = 10 * 60_000
const NO_SANDBOX = 'A sandbox on this machine keeps both in DATA_DIR/credentials.json, which is not there or has no such seller.'

function report(result: DropResult): void {
  const { drop_id, status, rows_written, rows_rejected, errors, errors_truncated, warnings } = result
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  for (const error of errors.slice(0, SHOWN)) say(lineOf(error))
  if (errors.length > SHOWN || errors_truncated) say(`and ${errors_truncated ? 'many' : errors.length - SHOWN} more errors`)
  if (warnings.length > 0) say(`${warnings.length} warnings, such as: ${warnings[0]?.message}`)
  say(`${drop_id}: ${status}, ${rows_written} rows written, ${rows_rejected} rejected`)
  if (status !== 'success') process.exitCode = 1
}

const SHOWN = 20

/** Writes `avails.csv:12: spots.available must be a whole number (INVALID_ENTRY)`, as compilers do, so that editors find the place. */
function lineOf({ file, row, error_code, message }: DropError): string {
  return `${file}${row === 0 ? '' : `:${row}`}: ${message} (${error_code})`
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

program.parseAsync().catch((error: unknown) => endWith(error, 2))
