import { execFile, execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../src/root.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { succeeds } from '../support/succeeds.ts'

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
 * the Dockerfile asks for: nothing is fetched but packages.
 */
export async function buildImage(): Promise<BuiltImage> {
  const folder = await temporaryFolder()
  const storage = ['--root', join(folder.path, 'storage'), '--runroot', join(folder.path, 'run'), '--storage-driver', 'vfs']
  const buildah = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('buildah', [...storage, ...args], { cwd: ROOT, maxBuffer: 64 << 20 })
    return stdout.trim()
  }
  try {
    const base = /^ARG BASE=(\S+)$/m.exec(await readFile(join(ROOT, 'docker/Dockerfile'), 'utf8'))?.[1] ?? ''
    const files = join(folder.path, 'base')
    await makeBase(files)
    const bare = await buildah('from', 'scratch')
    await buildah('add', '--quiet', bare, files, '/')
    await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', bare)
    await buildah('commit', '--quiet', bare, base)
    const mounts = (await npmFiles()).flatMap((file) => ['--volume', file])
    await buildah(
      'bud',
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      ...mounts,
      ...SETTINGS.flatMap((name) => (process.env[name] ? ['--build-arg', `${name}=${process.env[name]}`] : [])),
      '-f',
      'docker/Dockerfile',
      '-t',
      'marketplace',
      '.',
    )
    const container = await buildah('from', '--pull-never', 'marketplace')
    const root = await buildah('mount', container)
    const { config } = (JSON.parse(await buildah('inspect', container)) as { Docker: { config: ImageConfig } }).Docker
    return {
      root,
      config,
      addedBytes: (await sizeOf(root)) - (await sizeOf(files)),
      async remove() {
        await buildah('umount', container)
        await folder.remove()
      },
    }
  } catch (error) {
    await folder.remove()
    throw error
  }
}

/** Node.js, npm, a shell and what a build calls, with their libraries, in the places of Debian. */
async function makeBase(root: string): Promise<void> {
  const inside = (path: string) => join(root, path)
  for (const path of [
    'usr/local/bin',
    'usr/local/lib/node_modules',
    'usr/bin',
    'usr/lib',
    'usr/lib64',
    'etc',
    'dev',
    'proc',
    'sys',
    'root',
  ])
    await mkdir(inside(path), { recursive: true })
  await mkdir(inside('tmp'), { mode: 0o1777 })
  for (const name of ['bin', 'lib', 'lib64']) await symlink(`usr/${name}`, inside(name))
  const [node, npm] = [await realpath(process.execPath), await realpath(await which('npm'))]
  await cp(node, inside('usr/local/bin/node'))
  await cp(dirname(dirname(npm)), inside('usr/local/lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', inside('usr/local/bin/npm'))
  const programs = await Promise.all(PROGRAMS.map(which))
  for (const path of programs) await cp(path, inside(join('usr/bin', path.split('/').at(-1) ?? '')), { dereference: true })
  for (const library of await librariesOf([node, ...programs])) {
    await mkdir(dirname(inside(library)), { recursive: true })
    await cp(library, inside(library), { dereference: true })
  }
  await writeFile(inside('etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  await writeFile(inside('etc/group'), 'root:x:0:\nnode:x:1000:\n')
  await writeFile(inside('etc/nsswitch.conf'), 'hosts: files dns\n')
}

const PROGRAMS = ['sh', 'env', 'find', 'rm', 'mkdir', 'chown', 'chmod', 'uname']

async function which(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v "$1"', 'sh', name])
  return stdout.trim()
}

async function librariesOf(programs: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [...programs])
  const found = stdout.match(/\/\S+\.so\S*/g) ?? []
  // A C library is there as a whole: what is loaded later may need another part of it.
  const folder = dirname(found.find((path) => path.includes('/libc.so')) ?? '/')
  const parts = (await readdir(folder)).filter((name) => /^lib(anl|dl|m|nss_dns|nss_files|pthread|resolv|rt|util)\.so\.\d+$/.test(name))
  return [...new Set([...found, ...parts.map((name) => join(folder, name))])]
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
