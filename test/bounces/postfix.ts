import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/local/embedded/ports.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'

/** A real Postfix on loopback, with a configuration and a queue of its own. */
export interface Postfix {
  readonly port: number
  log(): Promise<string>
  stop(): Promise<void>
}

const PROGRAM = '/usr/sbin/postfix'
/** Its master process runs as root alone. */
export const hasPostfix = existsSync(PROGRAM) && process.getuid?.() === 0

/** Starts one that relays mail of this machine: each domain to a port of it. */
export async function startPostfix(domains: Readonly<Record<string, number>>): Promise<Postfix> {
  const folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  const [conf, queue, data, log] = ['conf', 'queue', 'data', 'mail.log'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const path of [conf, queue, data]) await mkdir(path)
  // Debian's own, which belongs to the user that the package made.
  const { uid } = await stat('/var/lib/postfix')
  await chown(data, uid, -1)
  const port = await freePort()
  const transports = Object.entries(domains).map(([domain, to]) => `{${domain} = smtp:[127.0.0.1]:${to}}`)
  await writeFile(
    join(conf, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = ${log}
maillog_file_prefixes = ${folder.path}
myhostname = relay.example
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtp_host_lookup = native
local_transport = error:there are no mailboxes
smtpd_relay_restrictions = permit_mynetworks, reject
transport_maps = inline:{ ${transports.join(', ')} }
alias_maps =
alias_database =
`,
  )
  const services = [`127.0.0.1:${port} inet n - n - - smtpd`, ...SERVICES, 'postlog unix-dgram n - n - 1 postlogd']
  await writeFile(join(conf, 'master.cf'), `${services.join('\n')}\n`)
  const postfix = (command: string) => promisify(execFile)(PROGRAM, ['-c', conf, command], { timeout: 60_000 })
  await postfix('start')
  return {
    port,
    log: () => readFile(log, 'utf8').catch(() => ''),
    async stop() {
      await postfix('stop').catch(() => undefined)
      await folder.remove()
    },
  }
}

const SERVICES = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'anvil unix - - n - 1 anvil',
]
