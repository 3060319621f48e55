import { generateKeyPair } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ssh2 from 'ssh2'
import { ConfigFault } from '../../config/index.ts'
import { createOnce } from '../files/createOnce.ts'
import { sshFingerprint } from './sshKey.ts'

/** A host key with which the SFTP server proves its identity. */
export interface SftpHostKey {
  readonly privateKey: string
  /** As the library names it, such as `ssh-ed25519`. */
  readonly type: string
  readonly fingerprint: string
}

interface HostKeySettings {
  sftpHostKey: string | undefined
  dataDir: string
}

/**
 * Reads the ed25519 host key from the settings, or from `sftp_host_key` in the data directory, which is created if missing. Its fingerprint is
 * the one that sellers are told.
 */
export async function readSftpHostKey(settings: HostKeySettings): Promise<SftpHostKey> {
  const { sftpHostKey, dataDir } = settings
  if (sftpHostKey !== undefined) return parsed(sftpHostKey, 'SFTP_HOST_KEY')
  const file = join(dataDir, 'sftp_host_key')
  return parsed(await textOf(file, generateHostKey), file)
}

/**
 * Reads all host keys, the ed25519 key first. Clients of Java 8 know only ECDSA and RSA: SFTP_HOST_KEY may hold keys of these types too, and
 * the data directory has one of each, created if missing.
 */
export async function readSftpHostKeys(settings: HostKeySettings): Promise<SftpHostKey[]> {
  const first = await readSftpHostKey(settings)
  const { sftpHostKey, dataDir } = settings
  if (sftpHostKey !== undefined) return [first, ...keysIn(sftpHostKey).filter(({ fingerprint }) => fingerprint !== first.fingerprint)]
  const others = Object.entries(OTHER_KEYS).map(async ([type, generate]) => {
    const file = join(dataDir, `sftp_host_key_${type}`)
    const [key] = keysIn(await textOf(file, generate))
    if (key === undefined)
      throw new ConfigFault(`${file} must hold an ${type.toUpperCase()} private key without a passphrase; remove it to have one made.`)
    return key
  })
  return [first, ...(await Promise.all(others))]
}

const generatePair = promisify(generateKeyPair)
const PUBLIC = { type: 'spki', format: 'pem' } as const

/** The other types of keys, and how one is generated. */
const OTHER_KEYS = {
  ecdsa: async () => {
    const privateKeyEncoding = { type: 'sec1', format: 'pem' } as const
    return (await generatePair('ec', { namedCurve: 'prime256v1', publicKeyEncoding: PUBLIC, privateKeyEncoding })).privateKey
  },
  rsa: async () => {
    const privateKeyEncoding = { type: 'pkcs1', format: 'pem' } as const
    return (await generatePair('rsa', { modulusLength: 3_072, publicKeyEncoding: PUBLIC, privateKeyEncoding })).privateKey
  },
}

/** Generates an ed25519 private key in OpenSSH form. Retries, since ssh2 drops a leading zero byte of the public half: one key in 256. */
export function generateHostKey(): string {
  for (;;) {
    const privateKey = `${ssh2.utils.generateKeyPairSync('ed25519').private}\n`
    if (!(ssh2.utils.parseKey(privateKey) instanceof Error)) return privateKey
  }
}

/** Returns the text of a file, which is created if missing. */
async function textOf(file: string, generate: () => string | Promise<string>): Promise<string> {
  const found = await readIfThere(file)
  if (found !== undefined) return found
  await createOnce(file, await generate(), 'SFTP_HOST_KEY')
  return (await readIfThere(file)) ?? ''
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return undefined
    throw new ConfigFault(`${file} cannot be read (${code}); give this process read access, or set SFTP_HOST_KEY.`)
  })
}

function parsed(text: string, where: string): SftpHostKey {
  const key = keysIn(text).find(({ type }) => type === HOST_KEY_TYPE)
  if (key === undefined)
    throw new ConfigFault(`${where} must hold an ed25519 private key without a passphrase, as ssh-keygen -t ed25519 -N "" writes it.`)
  return key
}

/** Returns the private keys of a text that can be read. */
function keysIn(text: string): SftpHostKey[] {
  return (text.match(PRIVATE_KEYS) ?? []).flatMap((block) => {
    const privateKey = `${block}\n`
    const key = ssh2.utils.parseKey(privateKey)
    if (key instanceof Error || !key.isPrivateKey()) return []
    return [{ privateKey, type: key.type, fingerprint: sshFingerprint(key.getPublicSSH()) }]
  })
}

const PRIVATE_KEYS = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]+-----END [A-Z ]{0,20}PRIVATE KEY-----/g

/** The type of a parsed key. The library's types know the name that `generateKeyPairSync` takes, not the one that `parseKey` returns. */
const HOST_KEY_TYPE: string = 'ssh-ed25519'
