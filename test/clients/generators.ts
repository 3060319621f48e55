import { execFile } from 'node:child_process'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
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
export const hasGo = succeeds('go', 'version') && succeeds('java', '-version') && succeeds('mvn', '--version')

/** Generates the Python client into a folder and compiles it. */
export async function pythonClient(folder: string): Promise<Run> {
  const venv = join(CACHE, 'python')
  const bin = (name: string) => join(venv, 'bin', name)
  await run('python3', ['-m', 'venv', venv])
  await run(bin('pip'), ['install', '--quiet', '--disable-pip-version-check', PYTHON_GENERATOR])
  const out = join(folder, 'python')
  const { stdout, stderr } = await run(bin('openapi-python-client'), ['generate', '--path', OPENAPI, '--output-path', out])
  if (/Unable to|duplicate models/.test(stdout + stderr)) throw new Error(`The generator left something out:\n${stdout}${stderr}`)
  await run(bin('python'), ['-m', 'compileall', '-q', out])
  await copyFile(fileURLToPath(new URL('placeOrder.py', import.meta.url)), join(out, 'place_order.py'))
  return async (...args) => JSON.parse((await run(bin('python'), [join(out, 'place_order.py'), ...args])).stdout)
}

/** Generates TypeScript types into a folder and compiles a program with them, strictly. */
export async function typescriptClient(folder: string): Promise<Run> {
  const cache = join(CACHE, 'typescript')
  await mkdir(cache, { recursive: true })
  await run('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', '--silent', ...TYPESCRIPT_GENERATOR])
  const out = join(folder, 'typescript')
  await mkdir(out)
  await symlink(join(cache, 'node_modules'), join(out, 'node_modules'))
  await run(process.execPath, [join(cache, 'node_modules/openapi-typescript/bin/cli.js'), OPENAPI, '--output', join(out, 'schema.ts')])
  await copyFile(fileURLToPath(new URL('placeOrder.mts', import.meta.url)), join(out, 'placeOrder.mts'))
  await writeFile(join(out, 'package.json'), '{"type":"module"}')
  await run(process.execPath, [TSC, ...STRICT, '--types', 'node', '--typeRoots', TYPES, join(out, 'placeOrder.mts')], out)
  return async (...args) => JSON.parse((await run(process.execPath, [join(out, 'placeOrder.mjs'), ...args])).stdout)
}

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))
const STRICT = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']

/** Generates the Go client into a folder and builds it. */
export async function goClient(folder: string): Promise<Run> {
  const jar = join(CACHE, `${GO_GENERATOR.split(':').slice(1).join('-')}.jar`)
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
  await mkdir(CACHE, { recursive: true })
  await run('mvn', ['-q', '-B', copy, `-Dartifact=${GO_GENERATOR}`, `-DoutputDirectory=${CACHE}`])
  const out = join(folder, 'go')
  const options = ['--additional-properties=packageName=market,withGoMod=true,useOneOfDiscriminatorLookup=true', '--git-host=example.com']
  const repository = ['--git-user-id=integrator', '--git-repo-id=market', '--global-property=apiTests=false,modelTests=false']
  await run('java', ['-jar', jar, 'generate', '-g', 'go', '-i', OPENAPI, '-o', out, ...options, ...repository])
  const program = join(out, 'placeorder')
  await mkdir(program)
  await copyFile(fileURLToPath(new URL('placeOrder.go', import.meta.url)), join(program, 'main.go'))
  const built = join(folder, 'placeorder')
  await run('go', ['build', '-o', built, './placeorder'], out)
  return async (...args) => JSON.parse((await run(built, args)).stdout)
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
