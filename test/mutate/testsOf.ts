import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The folders of tests in which a fault of a folder should be noticed, the first that fits. Tests that run as long as all others are left out. */
const NEAREST: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  ['src/domain/', ['test/domain/', 'test/contract/']],
  ['src/contract/', ['test/contract/', 'test/domain/']],
  ['src/store/catalog/', ['test/store/catalog/', 'test/store/connection/', 'test/operations/publishing/', 'test/api/']],
  ['src/store/drops/', ['test/store/drops/', 'test/store/files/', 'test/operations/drops/', 'test/sftp/', 'test/api/']],
  ['src/store/edi/', ['test/store/', 'test/operations/edi/', 'test/bounces/', 'test/api/']],
  ['src/store/settlement/', ['test/store/settlement/', 'test/operations/settlement/', 'test/api/']],
  ['src/store/delivery/', ['test/store/delivery/', 'test/store/', 'test/operations/webhooks/', 'test/api/']],
  ['src/store/', ['test/store/', 'test/api/', 'test/local/embedded/', 'test/operations/documents/', 'test/operations/pull/']],
  ['workflows/', ['test/workflows/']],
  ['activities/', ['test/workflows/', 'test/worker/', 'test/operations/drops/']],
  ['worker/', ['test/worker/', 'test/workflows/']],
  ['sftp/', ['test/sftp/']],
  ['bounces/', ['test/bounces/']],
  ['api/', ['test/api/']],
  ['src/operations/drops/', ['test/operations/drops/', 'test/store/drops/', 'test/sftp/']],
  ['src/operations/webhooks/', ['test/operations/webhooks/', 'test/api/']],
  ['src/operations/pull/', ['test/operations/pull/', 'test/api/', 'test/workflows/']],
  ['src/operations/edi/', ['test/operations/edi/', 'test/bounces/']],
  ['src/operations/settlement/', ['test/operations/settlement/', 'test/api/']],
  ['src/operations/documents/', ['test/operations/documents/', 'test/api/']],
  ['src/', ['test/api/', 'test/store/', 'test/adapters/', 'test/local/embedded/', 'test/metrics/', 'test/operations/publishing/']],
]

/** Returns the test files that should notice a fault of a file, the nearest by imports first. */
export async function testsOf(file: string): Promise<string[]> {
  const folders = NEAREST.find(([folder]) => file.startsWith(folder))?.[1] ?? []
  const listed = await Promise.all(folders.map((folder) => readdir(join(ROOT, folder), { recursive: true })))
  const tests = folders.flatMap((folder, at) =>
    (listed[at] ?? []).filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}${name}`),
  )
  const distances = await Promise.all([...new Set(tests)].map(async (test) => [test, await distance(test, file)] as const))
  return distances
    .filter(([, steps]) => steps < Number.POSITIVE_INFINITY)
    .sort((one, other) => one[1] - other[1])
    .map(([test]) => test)
}

/** Returns how many imports lead from one file to another, infinity if none do. */
async function distance(from: string, to: string): Promise<number> {
  const seen = new Set([from])
  let edge = [from]
  for (let steps = 0; edge.length > 0; steps += 1) {
    if (seen.has(to)) return steps
    const next = (await Promise.all(edge.map(importsOf))).flat().filter((file) => !seen.has(file))
    for (const file of next) seen.add(file)
    edge = [...new Set(next)]
  }
  return Number.POSITIVE_INFINITY
}

const imports = new Map<string, Promise<string[]>>()

function importsOf(file: string): Promise<string[]> {
  const known = imports.get(file) ?? readImports(file)
  imports.set(file, known)
  return known
}

async function readImports(file: string): Promise<string[]> {
  const source = await readFile(join(ROOT, file), 'utf8').catch(() => '')
  const imported = [...source.matchAll(/^(?:import|export)\b(?! type\b)[^'`]*?'(\.[^']*\.ts)'/gm)].map(([, path = '']) => path)
  const started = [...source.matchAll(/\{ path: '(\.[^']*)', from: import\.meta\.url \}/g)].map(([, path = '']) => `${path}.ts`)
  return [...imported, ...started]
    .map((path) => normalize(join(dirname(file), path)))
    .map((path) => (path === BUNDLE ? ENTRY_OF_BUNDLE : path))
}

/** The workflows are bundled from their entry, and no module imports them. */
const [BUNDLE, ENTRY_OF_BUNDLE] = ['workflows/bundle.ts', 'workflows/index.ts']
