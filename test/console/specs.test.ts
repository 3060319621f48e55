import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { buildFiles, consoleFolder, textOf } from '../../src/consoleBuild.ts'
import { buildConsole } from '../../src/embedded/buildConsole.ts'
import { useProduct } from '../e2e/useProduct.ts'

const CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url))
const PLAYWRIGHT = join(CONSOLE, 'node_modules/@playwright/test/cli.js')
const SPECS = readdirSync(join(CONSOLE, 'test')).filter((name) => name.endsWith('.spec.ts'))
const browser = findBrowser()
const missing = [
  ...(browser === undefined ? ['a browser (apt-get install chromium-headless-shell, or CHROMIUM)'] : []),
  ...(existsSync(PLAYWRIGHT) ? [] : ['its packages (npm ci --prefix console)']),
]
if (missing.length > 0)
  process.stderr.write(`The tests of the console are left out: they need ${missing.join(' and ')}.\n`)

  /** Each of the specs of console/test is a test here, so that one count holds them all; a browser drives a marketplace of their own. */
;(missing.length > 0 ? describe.skip : describe)('the console in a browser', () => {
  const product = useProduct({ env: { SEED: 'catalogs', RATE_LIMITS: 'off' } })
  let outcomes: Outcome[] = []
  beforeAll(async () => {
    expect(await buildConsole({ onProgress: () => undefined })).toBe(true)
    expect(textOf(buildFiles(consoleFolder).stamp)).toBeDefined()
    outcomes = await run(product.dataDir)
  }, 300_000)

  it.each(SPECS)('%s', (spec) => {
    const ofSpec = outcomes.filter(({ file }) => file === spec)
    expect(ofSpec.length).toBeGreaterThan(0)
    expect(ofSpec.filter(({ fault }) => fault !== undefined)).toEqual([])
  })
})

interface Outcome {
  readonly file: string
  readonly title: string
  readonly fault: string | undefined
}

interface Report {
  readonly suites: readonly Suite[]
  readonly errors: readonly { message?: string }[]
}

interface Suite {
  readonly file: string
  readonly specs: readonly {
    title: string
    ok: boolean
    tests: readonly { results: readonly { errors: readonly { message?: string }[] }[] }[]
  }[]
  readonly suites?: readonly Suite[]
}

async function run(dataDir: string): Promise<Outcome[]> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, CI: 'true', MARKETPLACE_DATA: dataDir, CHROMIUM: browser }
  const child = spawn(process.execPath, [PLAYWRIGHT, 'test'], { cwd: CONSOLE, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const { suites, errors } = JSON.parse(out || '{"suites":[],"errors":[]}') as Report
  if (suites.length === 0) throw new Error(`Playwright ran no spec: ${errors.map(({ message }) => message).join('; ')} ${err}`)
  return suites.flatMap(outcomesOf)
}

function outcomesOf({ file, specs, suites = [] }: Suite): Outcome[] {
  const own = specs.map(({ title, ok, tests }) => {
    const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
    return { file, title, fault: ok ? undefined : errors.map(({ message }) => message).join('\n') }
  })
  return [...own, ...suites.flatMap(outcomesOf)]
}

function findBrowser(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  const folders = PATH.split(delimiter)
  const named = ['chromium-headless-shell', 'chromium'].flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...(CHROMIUM ? [CHROMIUM] : []), ...named].find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
