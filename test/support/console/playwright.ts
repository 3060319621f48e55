import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const CONSOLE = fileURLToPath(new URL('../../../console/', import.meta.url))
const PLAYWRIGHT = join(CONSOLE, 'node_modules/@playwright/test/cli.js')
const browser = findBrowser()

/** The requirements of the console's specs that this machine lacks. */
export const missingForSpecs: readonly string[] = [
  ...(browser === undefined ? ['a browser (apt-get install chromium-headless-shell, or CHROMIUM)'] : []),
  ...(existsSync(PLAYWRIGHT) ? [] : ['its packages (npm ci --prefix console)']),
]

export interface Outcome {
  readonly file: string
  readonly title: string
  readonly fault: string | undefined
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

interface Report {
  readonly suites: readonly Suite[]
  readonly errors: readonly { message?: string }[]
}

/** Runs these specs of console/test in a browser, against the marketplace whose credentials.json is in the folder. */
export async function runSpecs(dataDir: string, specs: readonly string[]): Promise<Outcome[]> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, CI: 'true', MARKETPLACE_DATA: dataDir, CHROMIUM: browser }
  const child = spawn(process.execPath, [PLAYWRIGHT, 'test', ...specs], { cwd: CONSOLE, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const { suites, errors } = JSON.parse(out || '{"suites":[],"errors":[]}') as Report
  if (suites.length === 0) throw new Error(`Playwright ran no spec: ${errors.map(({ message }) => message).join('; ')} ${err}`)
  return suites.flatMap(outcomesOf)
}

function outcomesOf({ file, specs, suites = [] }: Suite): Outcome[] {
  const own = specs.map(({ title, ok, tests }) => {
    const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
    if (ok && errors.length > 0) process.stderr.write(`Passed at the second try only: ${file}: ${title}: ${errors[0]?.message}\n`)
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
