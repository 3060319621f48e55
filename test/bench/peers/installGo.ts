import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { binaryCache } from '../../../src/local/embedded/binaryCache.ts'
import { reasonOf, runCommand } from './command.ts'
import { NotHereError, type Say } from './peer.ts'

/** A program of a Go module, at one commit. */
export interface GoPeer {
  /** Of its folder in the user's cache. */
  folder: string
  module: string
  commit: string
  /** The package below the module; its last part is the name of the program. */
  main: string
  /** What {@link sumOfSources} makes of the module at that commit. */
  sum: string
  /** The environment variable that names a folder with those sources, where no Go proxy serves the module. */
  sourceVariable: string
}

/** Builds it into the user's cache, unless it is there, and returns its version. */
export async function installGo(peer: GoPeer, say: Say): Promise<string> {
  const program = await programOf(peer)
  if (!(await stat(program).catch(() => undefined))) await build(peer, dirname(program), say)
  return peer.commit.slice(0, 12)
}

export async function programOf({ folder, commit, main }: GoPeer): Promise<string> {
  const home = `${folder}-${process.platform}-${process.arch}-${commit.slice(0, 12)}`
  return join(await binaryCache(undefined), 'peers', home, process.platform === 'win32' ? `${basename(main)}.exe` : basename(main))
}

/** Under another name until it is whole: a build that is cut short is not taken for one. */
async function build(peer: GoPeer, home: string, say: Say): Promise<void> {
  const part = `${home}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  const source = process.env[peer.sourceVariable] ?? ''
  if (source === '') await fromModule(peer, part, say)
  else await fromSources(peer, source, part, say)
  await rename(part, home)
}

/** Go checks what it fetches against its public checksum database. */
async function fromModule({ module, main, commit, sourceVariable }: GoPeer, part: string, say: Say): Promise<void> {
  say(`  go install ${module}/${main} ...`)
  try {
    await runCommand('go', ['install', `${module}/${main}@${commit}`], { cwd: part, env: { ...goEnvironment(), GOBIN: part } })
  } catch (error) {
    throw new NotHereError(`go install failed: ${reasonOf(error)}; ${sourceVariable} may name a folder with its sources`)
  }
}

async function fromSources({ commit, main, sum, sourceVariable }: GoPeer, source: string, part: string, say: Say): Promise<void> {
  const found = await sumOfSources(source).catch(() => undefined)
  if (found !== sum) throw new NotHereError(`${sourceVariable} is not the folder of the sources at ${commit}`)
  say(`  building ${main} from ${sourceVariable} ...`)
  try {
    await runCommand('go', ['build', '-buildvcs=false', '-o', part, `./${main}`], { cwd: source, env: goEnvironment() })
  } catch (error) {
    throw new NotHereError(`go build failed: ${reasonOf(error)}`)
  }
}

/** For this machine, whatever the caller's own Go project wants. */
function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOFLAGS: '', GOOS: '', GOARCH: '', GOWORK: 'off' }
}

/** A checksum (SHA-256, hexadecimal) of what the program is built from, so that a figure is of no other source than it says. */
export async function sumOfSources(folder: string): Promise<string> {
  const listed = await Promise.all(['app', 'cmd'].map((name) => readdir(join(folder, name), { recursive: true, withFileTypes: true })))
  const files = listed.flat().filter((entry) => entry.isFile())
  const paths = ['go.mod', 'go.sum', ...files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))].sort()
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(await readFile(join(folder, path)))
      .update('\0')
  return hash.digest('hex')
}
