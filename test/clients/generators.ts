import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { succeeds } from '../support/succeeds.ts'

/** The versions that the tests are held to. */
const PYTHON_GENERATOR = 'openapi-python-client==0.29.1'
const GO_GENERATOR = 'org.openapitools:openapi-generator-cli:7.14.0'

/** The types need TypeScript 5 to be generated; they are compiled with the project's own. */
const TYPESCRIPT_GENERATOR = ['openapi-typescript@7.13.0', 'typescript@5.9.3', 'openapi-fetch@0.17.0']

/** A generated client that is ready to run: its arguments are base URL, token and the file of a create body, its output is JSON. */
export type Run = (baseUrl: string, token: string, bodyFile: string) => Promise<{ order_id: string; status: string; lines: number }>

const OPENAPI = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
const CACHE = join(homedir(), '.cache', 'order-marketplace', 'generators')

export const hasPython = succeeds('python3', '-c', 'import venv, ensurepip')
export const hasGo = succeeds('go', 'version') && succeeds('java', '-version') && succeeds('sh', '-c', 'command -v mvn')

/** The generated Python client, compiled. */
export async function pythonClient(): Promise<Run> {
  const venv = await installed('python', PYTHON_GENERATOR, async (folder) => {
    await run('python3', ['-m', 'venv', folder])
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', PYTHON_GENERATOR])
  })
  const python = join(venv, 'bin/python')
  const client = await built('python', 'placeOrder.py', '', async (out) => {
    const generate = ['-m', 'openapi_python_client', 'generate', '--path', OPENAPI, '--output-path', join(out, 'client')]
    const { stdout, stderr } = await run(python, generate)
    if (/Unable to|duplicate models/.test(stdout + stderr)) throw new Error(`The generator left something out:\n${stdout}${stderr}`)
    await run(python, ['-m', 'compileall', '-q', join(out, 'client')])
    await copyFile(fileURLToPath(new URL('placeOrder.py', import.meta.url)), join(out, 'client/place_order.py'))
  })
  return async (...args) => JSON.parse((await run(python, [join(client, 'client/place_order.py'), ...args])).stdout)
}

/** A program with generated TypeScript types, compiled strictly. */
export async function typescriptClient(): Promise<Run> {
  const generator = await installed('typescript', TYPESCRIPT_GENERATOR.join(' '), async (folder) => {
    await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', ...TYPESCRIPT_GENERATOR])
  })
  const client = await built('typescript', 'placeOrder.mts', process.version, async (out) => {
    await symlink(join(generator, 'node_modules'), join(out, 'node_modules'))
    await run(process.execPath, [
      join(generator, 'node_modules/openapi-typescript/bin/cli.js'),
      OPENAPI,
      '--output',
      join(out, 'schema.ts'),
    ])
    await copyFile(fileURLToPath(new URL('placeOrder.mts', import.meta.url)), join(out, 'placeOrder.mts'))
    await writeFile(join(out, 'package.json'), '{"type":"module"}')
    await run(process.execPath, [TSC, ...STRICT, '--types', 'node', '--typeRoots', TYPES, join(out, 'placeOrder.mts')], out)
  })
  return async (...args) => JSON.parse((await run(process.execPath, [join(client, 'placeOrder.mjs'), ...args])).stdout)
}

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))
const STRICT = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']

/** The generated Go client, built. */
export async function goClient(): Promise<Run> {
  const generator = await installed('go', GO_GENERATOR, async (folder) => {
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
    await run('mvn', ['-q', '-B', copy, `-Dartifact=${GO_GENERATOR}`, `-DoutputDirectory=${folder}`])
  })
  const jar = join(generator, `${GO_GENERATOR.split(':').slice(1).join('-')}.jar`)
  const { stdout: version } = await run('go', ['version'])
  const client = await built('go', 'placeOrder.go', version, async (kept) => {
    const out = join(kept, 'source')
    const options = ['--additional-properties=packageName=market,withGoMod=true,useOneOfDiscriminatorLookup=true', '--git-host=example.com']
    const repository = ['--git-user-id=integrator', '--git-repo-id=market', '--global-property=apiTests=false,modelTests=false']
    await run('java', ['-jar', jar, 'generate', '-g', 'go', '-i', OPENAPI, '-o', out, ...options, ...repository])
    const program = join(out, 'placeorder')
    await mkdir(program)
    await copyFile(fileURLToPath(new URL('placeOrder.go', import.meta.url)), join(program, 'main.go'))
    await run('go', ['build', '-o', join(kept, 'placeorder'), './placeorder'], out)
    await rm(out, { recursive: true })
  })
  return async (...args) => JSON.parse((await run(join(client, 'placeorder'), args)).stdout)
}

/** Returns the folder of a generator, which is installed there once. */
function installed(language: string, version: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  return kept(`${language}-generator`, hashOf([version]), install)
}

/** Returns the folder of a client, which is generated and built again when the contract, this module, its program or a tool has changed. */
async function built(language: string, program: string, tool: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const files = [OPENAPI, LOCK, fileURLToPath(import.meta.url), fileURLToPath(new URL(program, import.meta.url))]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return kept(`${language}-client`, hashOf([...texts, tool]), make)
}

const LOCK = fileURLToPath(new URL('../../package-lock.json', import.meta.url))

/** Returns a folder of that name and hash, which `make` fills if no earlier run has; removes those of other hashes once they are old. */
async function kept(name: string, hash: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(CACHE, `${name}-${hash}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  for (const other of await readdir(CACHE)) {
    const path = join(CACHE, other)
    if (other.startsWith(`${name}-`) && Date.now() - (await stat(path)).mtimeMs > KEPT_MS) await rm(path, { recursive: true })
  }
  const part = await mkdtemp(`${folder}.part-`)
  await make(part)
  // Another run may have made it meanwhile.
  await rename(part, folder).catch(() => rm(part, { recursive: true }))
  return folder
}

/** Since a folder was made; a run of another checkout may use it. */
const KEPT_MS = 7 * 24 * 3_600_000

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
}

/** A create body as a file. */
export async function bodyFile(folder: string, body: unknown): Promise<string> {
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(body))
  return file
}

function run(command: string, args: readonly string[], cwd?: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(command, [...args], { ...(cwd === undefined ? {} : { cwd }), maxBuffer: 64 * 1024 * 1024 })
}
