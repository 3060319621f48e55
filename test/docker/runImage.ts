import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown } from 'node:fs/promises'
import { endWithUs } from '../support/childProcesses.ts'
import type { BuiltImage } from './buildah.ts'

/** A container of an image: the image read-only, its data directory a folder of the test's, its user without a privilege. */
export interface ImageProcess {
  readonly pid: number
  /** What it has written so far, to both outputs. */
  output(): string
  /** Resolves to the exit code, or to the signal by which it ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  stop(signal: NodeJS.Signals): void
}

/** The command becomes the process itself, so that a signal reaches it as an engine's would. */
const SCRIPT = `
set -e
root=$1 data=$2 user=$3
shift 3
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" --groups= "$root" "$@"
`

/** In the numbers of the image's passwd: `USER node`. */
const USER = 1000

export async function runImage(
  { root, config }: BuiltImage,
  data: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ImageProcess> {
  await chown(data, USER, USER)
  const settings = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const inside = ['/usr/bin/env', '-i', '-C', config.WorkingDir, ...settings, ...config.Entrypoint, ...command]
  const child = spawn('unshare', ['--mount', 'sh', '-c', SCRIPT, 'sh', root, data, `${USER}:${USER}`, ...inside], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  endWithUs(child)
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
    stop: (signal) => void child.kill(signal),
  }
}
