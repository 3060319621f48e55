import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endProcess, endWithUs, hasEnded } from '../support/childProcesses.ts'
import { freePorts } from '../support/freePorts.ts'
import { succeeds } from '../support/succeeds.ts'

/** HAProxy in front of some APIs on this machine. */
export interface Balancer {
  readonly baseUrl: string
  /** Returns for each API, in the order of the ports, whether it accepts requests and how many it has received. */
  servers(): Promise<{ isUp: boolean; requests: number }[]>
  stop(): Promise<void>
}

/** Returns why no balancer can run here; undefined if one can. */
export function whyNoBalancer(): string | undefined {
  return succeeds('haproxy', '-v') ? undefined : 'there is no haproxy here (apt-get install haproxy, as root)'
}

/** Starts a balancer over those ports that answer 200 at /readyz, in turn; its settings are a file in `folder`. */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const front = await freePorts(2)
  const figures = front + 1
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, settings(front, figures, ports))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  endWithUs(child)
  return {
    baseUrl: `http://127.0.0.1:${front}`,
    async servers() {
      if (hasEnded(child)) throw new Error(`HAProxy has ended:\n${said.join('')}`)
      const reply = await fetch(`http://127.0.0.1:${figures}/;csv`).catch(() => undefined)
      return reply === undefined ? [] : serversOf(await reply.text())
    },
    async stop() {
      await endProcess(child, 'SIGTERM')
    },
  }
}

/** Lets a request go to another server only if the first accepted no connection, since only the client knows what is safe to repeat. */
function settings(front: number, figures: number, ports: readonly number[]): string {
  return `defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  option redispatch 1
  retries 2
  retry-on conn-failure
  option forwardfor
frontend figures
  bind 127.0.0.1:${figures}
  stats enable
  stats uri /
frontend marketplace
  bind 127.0.0.1:${front}
  default_backend apis
backend apis
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
  default-server check inter 250ms fall 2 rise 1
${ports.map((port, index) => `  server api-${index + 1} 127.0.0.1:${port}\n`).join('')}`
}

/** Reads HAProxy's figures as csv, whose first line has the names. */
function serversOf(csv: string): { isUp: boolean; requests: number }[] {
  const [head = '', ...lines] = csv.split('\n').map((line) => line.replace(/^# /, '').split(','))
  const read = (line: readonly string[], name: string) => line[head.indexOf(name)] ?? ''
  return lines
    .filter((line) => read(line, 'pxname') === 'apis' && read(line, 'svname').startsWith('api-'))
    .map((line) => ({ isUp: read(line, 'status').startsWith('UP'), requests: Number(read(line, 'stot')) }))
}
