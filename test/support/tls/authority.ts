import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../files/temporaryFolder.ts'

/** A test's certificate authority, made by openssl; its files are in one folder. */
export interface Authority {
  /** The file of its own certificate. */
  readonly ca: string
  /** Issues a certificate for a name, with its key. */
  issue(name: string, options?: IssueOptions): Promise<{ readonly cert: string; readonly key: string }>
  remove(): Promise<void>
}

interface IssueOptions {
  readonly isExpired?: boolean
  /** Whether it is of X.509 version 1, as `openssl x509 -req` makes them without extensions. */
  readonly isVersion1?: boolean
  /** What `openssl req` makes a key of. */
  readonly newKey?: readonly string[]
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
const openssl = (...args: string[]) => promisify(execFile)('openssl', args)

export async function makeAuthority(name: string): Promise<Authority> {
  const folder = await temporaryFolder()
  const file = (made: string) => join(folder.path, made)
  const [ca, caKey] = [file('ca.pem'), file('ca.key')]
  await openssl('req', '-x509', ...KEY, '-days', '2', '-subj', `/CN=${name}`, '-keyout', caKey, '-out', ca)
  let serial = 0
  return {
    ca,
    async issue(host, { isExpired = false, isVersion1 = false, newKey = KEY } = {}) {
      serial += 1
      const [request, extensions, key, cert] = ['csr', 'ext', 'key', 'pem'].map((ending) => file(`${serial}.${ending}`)) as [
        string,
        string,
        string,
        string,
      ]
      await writeFile(extensions, `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth,clientAuth\n`)
      await openssl('req', ...newKey, '-subj', `/CN=${host}`, '-keyout', key, '-out', request)
      const signed = [
        '-in',
        request,
        '-CA',
        ca,
        '-CAkey',
        caKey,
        '-set_serial',
        String(serial),
        '-out',
        cert,
        ...(isVersion1 ? [] : ['-extfile', extensions]),
      ]
      await openssl('x509', '-req', '-days', isExpired ? '-1' : '1', ...signed)
      return { cert, key }
    },
    remove: () => folder.remove(),
  }
}
