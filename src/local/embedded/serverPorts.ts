import type { Config } from '../../config/index.ts'
import { choosePort, holdPort } from './ports.ts'
import type { SftpEndpoint } from './seedSandbox.ts'
import { chooseSftpEndpoint } from './sftpEndpoint.ts'

/** The ports and addresses of the servers of one start. */
export interface ServerPorts {
  readonly port: number
  /** The URL of the API, without `/v1`. */
  readonly baseUrl: string
  /** Undefined if no SFTP server runs. */
  readonly sftp: SftpEndpoint | undefined
  /** Releases the reserved ports for the servers. */
  release(): Promise<void>
}

/** Chooses the ports of the servers and reserves them while the engines start. Fails with a StartupError if a configured port is taken. */
export async function chooseServerPorts(config: Config): Promise<ServerPorts> {
  const port = await choosePort({
    setting: 'PORT',
    askedFor: config.portAskedFor ? config.port : undefined,
    remembered: isForAnother(config.port, config) ? undefined : config.port,
    host: config.host,
  })
  const host = reachable(config.host)
  const sftp = await chooseSftpEndpoint(config, host.replace(/^\[|]$/g, ''))
  const bouncePort =
    config.mailInboundPort && (await choosePort({ setting: 'MAIL_INBOUND_PORT', askedFor: config.mailInboundPort, host: config.host }))
  const held: (() => Promise<void>)[] = []
  for (const one of [port, sftp?.port, bouncePort]) if (one !== undefined) held.push(await holdPort(one, config.host))
  const release = async () => {
    for (const releaseOne of held) await releaseOne()
  }
  return { port, baseUrl: `http://${host}:${port}`, sftp, release }
}

/** Returns true for a port that is bound before the API binds its own. */
function isForAnother(port: number, { postgresPort, temporalPort, temporalUiPort, mailInboundPort }: Config): boolean {
  return [postgresPort, temporalPort, temporalUiPort, mailInboundPort].includes(port)
}

/** Returns the address at which this machine reaches a host: the loopback address for a wildcard. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
