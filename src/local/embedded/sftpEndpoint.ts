import { readSftpHostKey } from '../../adapters/keys/sftpHostKey.ts'
import type { Config } from '../../config/index.ts'
import { choosePort } from './ports.ts'
import { readCredentials, type SftpEndpoint } from './seedSandbox.ts'

/** Returns the endpoint of this start; undefined in production without SFTP_PORT. In the sandbox it keeps its earlier port if possible. */
export async function chooseSftpEndpoint(config: Config, host: string): Promise<SftpEndpoint | undefined> {
  if (config.sftpPort === undefined && config.mode !== 'sandbox') return undefined
  const remembered = (await readCredentials(config.dataDir)).sftp?.port
  const port = await choosePort({ setting: 'SFTP_PORT', askedFor: config.sftpPort, remembered, host: config.host })
  const { fingerprint } = await readSftpHostKey(config)
  return { host, port, fingerprint }
}
