import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, realpath, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Node.js, npm, a shell and what a build calls, with their libraries, in the places of Debian. */
export async function makeBase(root: string): Promise<void> {
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
  const { node, npm, programs, libraries } = await partsOfBase()
  await cp(node, inside('usr/local/bin/node'))
  await cp(npm, inside('usr/local/lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', inside('usr/local/bin/npm'))
  for (const path of programs) await cp(path, inside(join('usr/bin', path.split('/').at(-1) ?? '')), { dereference: true })
  for (const library of libraries) {
    await mkdir(dirname(inside(library)), { recursive: true })
    await cp(library, inside(library), { dereference: true })
  }
  await writeFile(inside('etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  await writeFile(inside('etc/group'), 'root:x:0:\nnode:x:1000:\n')
  await writeFile(inside('etc/nsswitch.conf'), 'hosts: files dns\n')
}

/** Returns a hash that changes with the files that a base is made of. */
export async function fingerprintOfBase(): Promise<string> {
  const { node, npm, programs, libraries } = await partsOfBase()
  const hash = createHash('sha256')
  for (const path of [node, join(npm, 'package.json'), ...programs, ...libraries]) {
    const { size, mtimeMs } = await stat(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

async function partsOfBase() {
  const [node, npm] = [await realpath(process.execPath), dirname(dirname(await realpath(await which('npm'))))]
  const programs = await Promise.all(PROGRAMS.map(which))
  return { node, npm, programs, libraries: await librariesOf([node, ...programs]) }
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
