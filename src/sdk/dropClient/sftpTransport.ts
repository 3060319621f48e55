import { promisify } from 'node:util'
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2'
import { sshFingerprint } from '../../adapters/keys/sshKey.ts'
import type { DropResult, Manifest } from '../../contract/drop.ts'
import { MANIFEST_FILE, RESULT_FILES } from '../../contract/vocabulary/drops.ts'
import { DropFault } from './dropFault.ts'
import type { DropTransport } from './sendDrop.ts'

export interface SftpAccess {
  readonly host: string
  readonly port: number
  /** The seller's name. */
  readonly username: string
  /** A token with the scope catalog:write; a private key is the alternative. */
  readonly token?: string | undefined
  readonly privateKey?: Buffer | undefined
  /** The fingerprint of the server's host key, as ssh-keygen writes it: `SHA256:` and base64. A server with another key is refused. */
  readonly fingerprint: string
}

/** Sends a drop only by SFTP: uploads the manifest last, and reads the result from the drop's folder. */
export async function sftpTransport(access: SftpAccess): Promise<DropTransport> {
  const connection = await connected(access)
  const sftp = await promisify((use: (error: Error | undefined, sftp: SFTPWrapper) => void) => connection.sftp(use))()
  const put = promisify(sftp.fastPut.bind(sftp) as (from: string, to: string, done: (error?: Error | null) => void) => void)
  const write = promisify(sftp.writeFile.bind(sftp) as (path: string, text: string, done: (error?: Error | null) => void) => void)
  const read = promisify(sftp.readFile.bind(sftp) as (path: string, done: (error: Error | undefined, bytes: Buffer) => void) => void)
  const mkdir = promisify(sftp.mkdir.bind(sftp) as (path: string, done: (error?: Error | null) => void) => void)
  const landed = async (dropId: string) => {
    for (const name of RESULT_FILES) {
      const text = await read(`/${dropId}/${name}`).catch(undefinedWhenMissing)
      if (text !== undefined) return text.toString('utf8')
    }
    return undefined
  }
  let before: { text: string; at: number } | undefined
  return {
    async put(dropId, filename, path) {
      await mkdir(`/${dropId}`).catch(() => undefined) // the folder already exists, or the put reports why it does not
      await put(path, `/${dropId}/${filename}`).catch((error: Error) => {
        throw new DropFault(`${filename} was not taken: ${error.message}.`, 'marketplace')
      })
    },
    async register(manifest: Manifest) {
      const text = await landed(manifest.drop_id)
      before = text === undefined ? undefined : { text, at: Date.now() }
      await write(`/${manifest.drop_id}/${MANIFEST_FILE}`, JSON.stringify(manifest))
    },
    async result(dropId) {
      const text = await landed(dropId)
      if (text === undefined || (text === before?.text && Date.now() - before.at < REPLAYED_MS)) return undefined
      return JSON.parse(text) as DropResult
    },
    close: async () => void connection.end(),
  }
}

/** A result that has not changed for this long after the manifest landed is that of the same files, sent earlier. */
const REPLAYED_MS = 30_000

function connected({ fingerprint, token, privateKey, ...access }: SftpAccess): Promise<Client> {
  const { host, port } = access
  const client = new Client()
  let presented = ''
  const config: ConnectConfig = {
    ...access,
    ...(token === undefined ? {} : { password: token }),
    ...(privateKey === undefined ? {} : { privateKey }),
    readyTimeout: 20_000,
    keepaliveInterval: 20_000,
    hostVerifier: (key: Buffer) => {
      presented = sshFingerprint(key)
      return presented === fingerprint
    },
  }
  return new Promise((resolve, reject) => {
    client.once('connect', () => client.setNoDelay(true)) // the library writes a packet in parts, and the later ones would wait for an answer
    client.once('ready', () => resolve(client))
    client.once('error', (error: Error & { level?: string }) => {
      const why =
        presented !== '' && presented !== fingerprint
          ? `its host key is ${presented}, and ${fingerprint} was expected`
          : error.level === 'client-authentication'
            ? 'it refuses the credential'
            : error.message
      const isRefused = error.level === 'client-authentication'
      const of = presented !== '' && presented !== fingerprint ? 'caller' : isRefused ? 'marketplace' : 'connection'
      reject(new DropFault(`The SFTP server ${host}:${port} cannot be used: ${why}.`, of))
    })
    client.connect(config)
  })
}

function undefinedWhenMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== NO_SUCH_FILE) throw error
  return undefined
}
/** The status code SSH_FX_NO_SUCH_FILE. */
const NO_SUCH_FILE = 2
