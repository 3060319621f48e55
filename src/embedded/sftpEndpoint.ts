import { readSftpHostKey } from '../adapters/sftpHostKey.ts'
import type { Config } from '../config.ts'
import { choosePort } from './ports.ts'
import { readCredentials } from './seedSandbox.ts'

/** Where sellers reach the SFTP server, and the fingerprint by which their clients know it. */
export interface SftpEndpoint {
  host: string
  port: number
  fingerprint: string
}

/** The endpoint of this start; undefined in production without SFTP_PORT, where no SFTP server runs. In the sandbox it stays where it was. */
export async function chooseSftpEndpoint(config: Config, host: string): Promise<SftpEndpoint | undefined> {
  if (config.sftpPort === undefined && config.mode !== 'sandbox') return undefined
  const remembered = (await readCredentials(config.dataDir)).sftp?.port
  const port = await choosePort({ setting: 'SFTP_PORT', askedFor: config.sftpPort, remembered, host: config.host })
  const { fingerprint } = await readSftpHostKey(config)
  return { host, port, fingerprint }
}
