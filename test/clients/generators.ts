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
const PYTHON_CLIENT = 'openapi-python-client==0.29.1'
const PYTHON_MODELS = 'datamodel-code-generator==0.37.0'
const GO_CLIENT = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const GO_RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0'
/** The types need TypeScript 5 to be generated; they are compiled with the project's own. */
export const TYPESCRIPT_TYPES = ['openapi-typescript@7.13.0', 'typescript@5.9.3', 'openapi-fetch@0.17.0']
const TYPESCRIPT_CLIENT = ['@hey-api/openapi-ts@0.95.0', 'typescript@5.9.3']

/** What a program reads of the order that it placed, and the type of the last event of its feed. */
export interface Placed {
  order_id: string
  status: string
  lines: number
  last: string
}

/** A generated client that is ready to run: its arguments are base URL, token and the file of a create body, its output is JSON. */
export type Run = (baseUrl: string, token: string, bodyFile: string) => Promise<Placed>

export const OPENAPI = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
const CACHE = join(homedir(), '.cache', 'order-marketplace', 'generators')

export const hasPython = succeeds('python3', '-c', 'import venv, ensurepip')

/** Generators, from their registries. The quick ones run with every suite; where the tools of another are missing it is left out, and says so. */
export const GENERATORS: readonly { name: string; isQuick: boolean; isPresent: boolean; make(): Promise<Run> }[] = [
  { name: 'openapi-typescript', isQuick: true, isPresent: true, make: typescriptTypes },
  { name: 'openapi-python-client', isQuick: true, isPresent: hasPython, make: pythonClient },
  { name: 'datamodel-code-generator', isQuick: false, isPresent: hasPython, make: pythonModels },
  { name: 'hey-api', isQuick: false, isPresent: true, make: typescriptClient },
  { name: 'oapi-codegen', isQuick: false, isPresent: succeeds('go', 'version'), make: goClient },
]

/** A package of Python in a folder of its own; returns its interpreter. */
async function pythonWith(name: string, requirement: string): Promise<string> {
  const venv = await installed(name, requirement, async (folder) => {
    await run('python3', ['-m', 'venv', folder])
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', requirement])
  })
  return join(venv, 'bin/python')
}

async function pythonClient(): Promise<Run> {
  const python = await pythonWith('python', PYTHON_CLIENT)
  const client = await built('python', 'placeOrder.py', '', async (out) => {
    const generate = ['-m', 'openapi_python_client', 'generate', '--path', OPENAPI, '--output-path', join(out, 'client')]
    const { stdout, stderr } = await run(python, generate)
    if (/Unable to|duplicate models/.test(stdout + stderr)) throw new Error(`The generator left something out:\n${stdout}${stderr}`)
    await run(python, ['-m', 'compileall', '-q', join(out, 'client')])
    await copyFile(programFile('placeOrder.py'), join(out, 'client/place_order.py'))
  })
  return (...args) => outputOf(python, join(client, 'client/place_order.py'), ...args)
}

async function pythonModels(): Promise<Run> {
  const python = await pythonWith('models', PYTHON_MODELS)
  const client = await built('models', 'placeOrderModels.py', '', async (out) => {
    const options = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel']
    await run(python, ['-m', 'datamodel_code_generator', '--input', OPENAPI, '--output', join(out, 'models.py'), ...options])
    const numbered = [...(await readFile(join(out, 'models.py'), 'utf8')).matchAll(/^class (\w*\d)\(/gm)].map(([, name]) => name)
    if (numbered.length > 0) throw new Error(`The document has parts without a name, which are numbered: ${numbered}`)
    await copyFile(programFile('placeOrderModels.py'), join(out, 'place_order.py'))
  })
  return (...args) => outputOf(python, join(client, 'place_order.py'), ...args)
}

/** A program with types of openapi-typescript, compiled strictly. */
async function typescriptTypes(): Promise<Run> {
  const generator = await packagesIn('typescript', TYPESCRIPT_TYPES)
  const client = await built('typescript', 'placeOrder.mts', process.version, async (out) => {
    await run(process.execPath, [join(generator, 'openapi-typescript/bin/cli.js'), OPENAPI, '--output', join(out, 'schema.ts')])
    await compiled(out, generator, 'placeOrder.mts')
  })
  return (...args) => outputOf(process.execPath, join(client, 'placeOrder.mjs'), ...args)
}

async function typescriptClient(): Promise<Run> {
  const generator = await packagesIn('hey', TYPESCRIPT_CLIENT)
  const client = await built('hey', 'placeOrderHey.mts', process.version, async (out) => {
    await run(process.execPath, [join(generator, '@hey-api/openapi-ts/bin/run.js'), '--input', OPENAPI, '--output', join(out, 'client')])
    await compiled(out, generator, 'placeOrderHey.mts', [
      '--module',
      'preserve',
      '--moduleResolution',
      'bundler',
      '--exactOptionalPropertyTypes',
      'false',
    ])
  })
  return (...args) => outputOf(process.execPath, '--import', TSX, join(client, 'placeOrderHey.mts'), ...args)
}

const TSX = import.meta.resolve('tsx')

/** Returns the node_modules in which packages are installed. */
export async function packagesIn(name: string, packages: readonly string[]): Promise<string> {
  const folder = await installed(name, packages.join(' '), async (out) => {
    await run('npm', ['install', '--prefix', out, '--no-audit', '--no-fund', '--silent', ...packages])
  })
  return join(folder, 'node_modules')
}

/** Compiles a program beside what was generated. */
async function compiled(out: string, packages: string, program: string, more: readonly string[] = []): Promise<void> {
  await symlink(packages, join(out, 'node_modules'))
  await copyFile(programFile(program), join(out, program))
  await writeFile(join(out, 'package.json'), '{"type":"module"}')
  await run(process.execPath, [TSC, ...STRICT, ...more, '--types', 'node', '--typeRoots', TYPES, join(out, program)], out)
}

export const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
export const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))
export const STRICT = [
  '--strict',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--skipLibCheck',
]

async function goClient(): Promise<Run> {
  const generator = await installed('oapi', GO_CLIENT, (folder) => run('go', ['install', GO_CLIENT], folder, { GOBIN: folder }))
  const { stdout: version } = await run('go', ['version'])
  const client = await built('oapi', 'placeOrder.go', version, async (kept) => {
    const out = join(kept, 'source')
    for (const folder of ['market', 'placeorder']) await mkdir(join(out, folder), { recursive: true })
    const file = join(out, 'market/market.go')
    await run(join(generator, 'oapi-codegen'), ['-package', 'market', '-generate', 'types,client', '-o', file, OPENAPI])
    await copyFile(programFile('placeOrder.go'), join(out, 'placeorder/main.go'))
    await run('go', ['mod', 'init', 'example.com/integrator/market'], out)
    await run('go', ['get', GO_RUNTIME], out)
    await run('go', ['mod', 'tidy'], out)
    await run('go', ['build', '-o', join(kept, 'placeorder'), './placeorder'], out)
    await rm(out, { recursive: true })
  })
  return (...args) => outputOf(join(client, 'placeorder'), ...args)
}

function programFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

async function outputOf(command: string, ...args: readonly string[]): Promise<Placed> {
  return JSON.parse((await run(command, args)).stdout) as Placed
}

/** Returns the folder of a generator, which is installed there once. */
function installed(language: string, version: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  return kept(`${language}-generator`, hashOf([version]), install)
}

/** Returns the folder of a client, which is generated and built again when the contract, this module, its program or a tool has changed. */
async function built(language: string, program: string, tool: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const files = [OPENAPI, LOCK, fileURLToPath(import.meta.url), programFile(program)]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return kept(`${language}-client`, hashOf([...texts, tool]), make)
}

const LOCK = fileURLToPath(new URL('../../package-lock.json', import.meta.url))

/** Returns a folder of that name and hash, which `make` fills if no earlier run has; removes those of other hashes once they are old. */
export async function kept(name: string, hash: string, make: (folder: string) => Promise<unknown>): Promise<string> {
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

export function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
}

/** A create body as a file. */
export async function bodyFile(folder: string, body: unknown): Promise<string> {
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(body))
  return file
}

export function run(
  command: string,
  args: readonly string[],
  cwd?: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ stdout: string; stderr: string }> {
  const options = { ...(cwd === undefined ? {} : { cwd }), env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(command, [...args], options)
}
