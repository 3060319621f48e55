import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../src/config/root.ts'
import { succeeds } from '../support/succeeds.ts'
import { fingerprintOfBase, makeBase } from './base.ts'

/** An image that was built from docker/Dockerfile, unpacked. */
export interface BuiltImage {
  /** Its file system. */
  readonly root: string
  readonly config: ImageConfig
  /** Of what the Dockerfile adds to its base. */
  readonly addedBytes: number
  remove(): Promise<void>
}

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly WorkingDir: string
  readonly Labels: Readonly<Record<string, string>>
  readonly Volumes: Readonly<Record<string, unknown>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

/** Why images cannot be built here; undefined where they can. */
export function whyNoImages(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'this needs Linux and root'
  if (!succeeds('buildah', '--version')) return 'there is no buildah here (apt-get install buildah, as root)'
  if (!succeeds('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')) return 'this user may not mount file systems'
  return whyNoPackages()
}

/** Why a build cannot install packages here. */
function whyNoPackages(): string | undefined {
  try {
    const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())
    if (!existsSync(join(dirname(dirname(npm)), 'bin/npm-cli.js')))
      return 'npm here is not a folder with bin/npm-cli.js, which the base is made of'
  } catch {
    return 'there is no npm here'
  }
  try {
    execFileSync('npm', ['ping'], { stdio: 'ignore', timeout: 20_000 })
    return undefined
  } catch {
    return 'the registry of packages cannot be reached'
  }
}

/**
 * Builds the image with Debian's buildah, which needs no engine. Its base is made of this machine's Node.js, npm, shell and libraries under the name that
 * the Dockerfile asks for: nothing is fetched but packages. Steps whose files have not changed since an earlier build are taken from that, as an engine does.
 */
export async function buildImage(): Promise<BuiltImage> {
  await mkdir(CACHE, { recursive: true })
  const unlock = await locked(join(CACHE, 'lock'))
  try {
    const { base, buildah } = await openStorage()
    const mounts = (await npmFiles()).flatMap((file) => ['--volume', file])
    const settings = SETTINGS.flatMap((name) => (process.env[name] ? ['--build-arg', `${name}=${process.env[name]}`] : []))
    const layers = `--layers=${(await hasOverlays()) ? 'true' : 'false'}`
    const options = ['--isolation', 'chroot', '--pull-never', '--format', 'docker', layers, ...mounts, ...settings]
    await buildah('bud', ...options, '-f', 'docker/Dockerfile', '-t', IMAGE, '.')
    const container = await buildah('from', '--pull-never', IMAGE)
    const root = await buildah('mount', container)
    const { config } = (JSON.parse(await buildah('inspect', container)) as { Docker: { config: ImageConfig } }).Docker
    return {
      root,
      config,
      addedBytes: (await sizeOf(root)) - (await sizeOf(base)),
      async remove() {
        await buildah('rm', container)
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

const CACHE = join(homedir(), '.cache', 'order-marketplace', 'image')
const IMAGE = 'marketplace'

/** Images, most of them one step of a build, from which on the storage is emptied: a step is kept although no later build takes it. */
const MANY = 500

interface Storage {
  /** The folder of the files of the base. */
  readonly base: string
  buildah(...args: string[]): Promise<string>
}

/** Opens the storage that earlier builds have left, with the base in it; empties it if the base has changed. */
async function openStorage(): Promise<Storage> {
  const folder = join(CACHE, 'storage')
  const [base, stamp] = [join(folder, 'base'), join(folder, 'stamp')]
  const driver = (await hasOverlays()) ? 'overlay' : 'vfs'
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', driver]
  const buildah = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('buildah', [...storage, ...args], { cwd: ROOT, maxBuffer: 64 << 20 })
    return stdout.trim()
  }
  const fingerprint = `${driver} ${await fingerprintOfBase()}`
  const isCurrent = (await readFile(stamp, 'utf8').catch(() => '')) === fingerprint
  if (isCurrent) await buildah('rm', '--all') // what a run that was killed has left
  if (isCurrent && (await buildah('images', '--all', '--quiet')).split('\n').length < MANY) return { base, buildah }
  await rm(folder, { recursive: true, force: true })
  await makeBase(base)
  const bare = await buildah('from', 'scratch')
  await buildah('add', '--quiet', bare, base, '/')
  await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', bare)
  await buildah('commit', '--quiet', '--rm', bare, await nameOfBase())
  await writeFile(stamp, fingerprint)
  return { base, buildah }
}

async function nameOfBase(): Promise<string> {
  return /^ARG BASE=(\S+)$/m.exec(await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8'))?.[1] ?? ''
}

/** Whether a file system can be laid over another here. Without it each step of a build would copy all files of those before, so none is kept. */
async function hasOverlays(): Promise<boolean> {
  const folder = await mkdtemp(join(CACHE, 'overlay-'))
  const [lower, upper, work, both] = ['lower', 'upper', 'work', 'both'].map((name) => join(folder, name))
  for (const path of [lower, upper, work, both]) await mkdir(path as string)
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`
  const hasMounted = succeeds('unshare', '--mount', 'mount', '-t', 'overlay', 'overlay', '-o', options, both as string)
  await rm(folder, { recursive: true })
  return hasMounted
}

/** Waits until no other process holds a lock, and takes it. It ends with this process at the latest. Returns what ends it. */
async function locked(file: string): Promise<() => void> {
  const holder = spawn('flock', [file, 'sh', '-c', 'echo locked; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return () => void holder.stdin.end()
}

/** What npm needs inside of a build: its settings, the authorities of this machine and the packages that are here already, as `from:to:mode`. */
async function npmFiles(): Promise<string[]> {
  const settingOf = async (name: string) => (await promisify(execFile)('npm', ['config', 'get', name])).stdout.trim()
  const [cache, userconfig, globalconfig, cafile] = await Promise.all(['cache', 'userconfig', 'globalconfig', 'cafile'].map(settingOf))
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const mounts: [string | undefined, string][] = [
    [authorities, `${authorities}:ro`],
    [cache, '/root/.npm:rw'],
    [userconfig, '/root/.npmrc:ro'],
    [globalconfig, '/usr/local/etc/npmrc:ro'],
    [cafile, `${cafile}:ro`],
  ]
  const there = mounts.filter(([from]) => from !== undefined && existsSync(from)).map(([from, to]) => `${from}:${to}`)
  return [...new Set(there)]
}

/** What of this environment npm and Node.js need to reach a registry: arguments of the build. */
const SETTINGS = ['NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'npm_config_cafile']

async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sb', folder])
  return Number(stdout.split('\t')[0])
}
