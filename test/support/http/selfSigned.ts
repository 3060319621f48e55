import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../files/temporaryFolder.ts'

/** Creates a self-signed certificate for a host name. */
export async function selfSigned(host: string): Promise<{ key: string; cert: string }> {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  const wanted = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-subj', `/CN=${host}`]
  await promisify(execFile)('openssl', ['req', '-x509', ...wanted, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert])
  const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  await folder.remove()
  return made
}
