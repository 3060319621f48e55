import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, kept, run } from './generators.ts'
import { makingPython, PYTHON_CLIENT, pip, pythonVersion } from './pythonTools.ts'

export const PAGE = fileURLToPath(new URL('../../docs/buy/python.md', import.meta.url))
const OPENAPI = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
const PACKAGE = 'src/order_marketplace'

/** The Python client as an integrator has it: its wheel in an environment of its own, and its tests beside it. */
export interface PythonPackage {
  python: string
  tests: string
}

/**
 * Returns the installed package. When something of it has changed, its wheel is built and installed anew, and nothing is kept unless its
 * made code is that of docs/openapi.json and it, its tests and its samples have no fault of lint or strict types.
 */
export async function pythonPackage(): Promise<PythonPackage> {
  const files = (await filesIn(PYTHON_CLIENT)).map((name) => join(PYTHON_CLIENT, name))
  const texts = await Promise.all([...files, OPENAPI, PAGE, fileURLToPath(import.meta.url)].map((file) => readFile(file, 'utf8')))
  const names = files.map((file) => relative(PYTHON_CLIENT, file))
  const folder = await kept('python-package', hashOf([await pythonVersion(), ...names, ...texts]), build)
  return { python: join(folder, 'venv/bin/python'), tests: join(folder, 'project/tests') }
}

async function build(folder: string): Promise<void> {
  const making = await makingPython()
  const [project, venv, samples] = [join(folder, 'project'), join(folder, 'venv'), join(folder, 'samples')]
  for (const name of await filesIn(PYTHON_CLIENT)) {
    await mkdir(dirname(join(project, name)), { recursive: true })
    await cp(join(PYTHON_CLIENT, name), join(project, name))
  }
  await refuseDrift(making, join(folder, 'made'))
  await checked(making, ['-m', 'ruff', 'check', project])
  await checked(making, ['-m', 'ruff', 'format', '--check', project])
  await run('python3', ['-m', 'venv', venv])
  const python = join(venv, 'bin/python')
  await run(python, ['-m', 'pip', 'wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', folder, project])
  const [wheel = ''] = (await readdir(folder)).filter((name) => name.endsWith('.whl'))
  await pip(venv, `${join(folder, wheel)}[test]`)
  // From here on there is only what was installed.
  await rm(join(project, 'src'), { recursive: true })
  await mkdir(samples)
  for (const page of [join(PYTHON_CLIENT, 'README.md'), PAGE]) await run(python, [join(project, 'tests/samples.py'), page, samples])
  const strict = ['-m', 'mypy', '--strict', '--python-version', '3.10', '--cache-dir', join(folder, 'mypy')]
  await checked(python, [...strict, '-p', 'order_marketplace'], folder)
  await checked(python, [...strict, join(project, 'tests'), samples], folder)
  await rm(join(folder, 'mypy'), { recursive: true })
}

/** The code that is made is in the repository, so that the folder can be installed as it is: throws if it is not what would be made now. */
async function refuseDrift(making: string, made: string): Promise<void> {
  await run(making, [join(PYTHON_CLIENT, 'make/make.py'), '--into', made])
  const stale: string[] = []
  for (const name of await filesIn(made)) {
    const [now, then] = await Promise.all(
      [join(made, name), join(PYTHON_CLIENT, PACKAGE, name)].map((file) => readFile(file, 'utf8').catch(() => '')),
    )
    if (now !== then) stale.push(name)
  }
  if (stale.length > 0) throw new Error(`clients/python is stale (${stale.join(', ')}): npm run client:python`)
}

async function checked(python: string, args: readonly string[], cwd?: string): Promise<void> {
  await run(python, args, cwd).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${args.slice(0, 4).join(' ')}:\n${stdout}${stderr}`)
  })
}

/** Returns the paths of all files below a folder, in their order, without what tools leave behind. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !/(^|\/)(\.\w+_cache|__pycache__|dist)\//.test(name))
    .sort()
}
