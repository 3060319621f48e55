import { createHash, createPublicKey } from 'node:crypto'
import ssh2 from 'ssh2'
import { SSH_KEY_ALGORITHMS, type SshKeyAlgorithm } from '../../contract/vocabulary/access.ts'
import { SshKeyFault } from './sshKeyFault.ts'

export interface SshPublicKey {
  readonly algorithm: SshKeyAlgorithm
  /** The key in its wire format (RFC 4253, 6.6). */
  readonly blob: Buffer
  readonly comment: string
  readonly fingerprint: string
}

/** Reads a public key as `ssh-keygen` writes it. Throws an SshKeyFault if it cannot be used. */
export function readSshPublicKey(text: string): SshPublicKey {
  if (text.includes('PRIVATE KEY')) throw new SshKeyFault('This is a private key, which must stay with its owner: send the .pub file.')
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const [algorithm = '', , ...words] = (lines[0] ?? '').trim().split(/\s+/)
  const form = `a public key of one line that begins with ${SSH_KEY_ALGORITHMS.join(', ')}`
  if (lines.length !== 1 || !isTaken(algorithm)) throw new SshKeyFault(`This is not ${form}.`)
  const key = ssh2.utils.parseKey(lines[0] ?? '')
  if (key instanceof Error) throw new SshKeyFault(`This is not ${form}: ${key.message}.`)
  if (algorithm === 'ssh-rsa') requireLength(key.getPublicPEM())
  const blob = key.getPublicSSH()
  return { algorithm, blob, comment: words.join(' ').slice(0, 200), fingerprint: sshFingerprint(blob) }
}

/** Returns the fingerprint of a public key, as `ssh-keygen -l` prints it. */
export function sshFingerprint(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace('=', '')}`
}

function isTaken(algorithm: string): algorithm is SshKeyAlgorithm {
  return (SSH_KEY_ALGORITHMS as readonly string[]).includes(algorithm)
}

const LEAST_RSA_BITS = 2_048

function requireLength(pem: string): void {
  const bits = createPublicKey(pem).asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_RSA_BITS) throw new SshKeyFault(`An RSA key must have at least ${LEAST_RSA_BITS} bits; this one has ${bits}.`)
}
