import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { ConfigFault } from '../config.ts'
import { createOnce } from './createOnce.ts'
import { sshFingerprint } from './sshKey.ts'

/** The host key with which the SFTP server proves its identity. */
export interface SftpHostKey {
  readonly privateKey: string
  readonly fingerprint: string
}

interface HostKeySettings {
  sftpHostKey: string | undefined
  dataDir: string
}

/** Reads the host key from the settings, or from `sftp_host_key` in the data directory, which is created if missing. */
export async function readSftpHostKey({ sftpHostKey, dataDir }: HostKeySettings): Promise<SftpHostKey> {
  if (sftpHostKey !== undefined) return parsed(sftpHostKey, 'SFTP_HOST_KEY')
  const file = join(dataDir, 'sftp_host_key')
  const text = (await textOf(file)) ?? (await created(file))
  return parsed(text, file)
}

async function created(file: string): Promise<string> {
  await createOnce(file, generateHostKey(), 'SFTP_HOST_KEY')
  return (await textOf(file)) ?? ''
}

/** Generates an ed25519 private key in OpenSSH form. Retries, since ssh2 drops a leading zero byte of the public half: one key in 256. */
export function generateHostKey(): string {
  for (;;) {
    const privateKey = `${ssh2.utils.generateKeyPairSync('ed25519').private}\n`
    if (!(ssh2.utils.parseKey(privateKey) instanceof Error)) return privateKey
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return undefined
    throw new ConfigFault(`${file} cannot be read (${code}); give this process read access, or set SFTP_HOST_KEY.`)
  })
}

function parsed(privateKey: string, where: string): SftpHostKey {
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error || !key.isPrivateKey() || key.type !== HOST_KEY_TYPE)
    throw new ConfigFault(`${where} must hold an ed25519 private key without a passphrase, as ssh-keygen -t ed25519 -N "" writes it.`)
  return { privateKey, fingerprint: sshFingerprint(key.getPublicSSH()) }
}

/** The type of a parsed key. The library's types know the name that `generateKeyPairSync` takes, not the one that `parseKey` returns. */
const HOST_KEY_TYPE: string = 'ssh-ed25519'
