import { copyFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, kept, packagesIn, run, STRICT, TSC, TYPES, TYPESCRIPT_TYPES } from './generators.ts'

const CLIENT = fileURLToPath(new URL('../../client', import.meta.url))
const PROGRAM = 'useTypescriptClient.mts'

/**
 * Builds `client/`, packs it, installs the package into an empty project, checks a program there by the strictest compiler options, and
 * returns the program's path. Done once for each state of the contract and of the client.
 */
export async function programOfPackedClient(): Promise<string> {
  const program = fileURLToPath(new URL(PROGRAM, import.meta.url))
  const sources = (await readdir(join(CLIENT, 'src'))).sort()
  const files = [program, fileURLToPath(import.meta.url), join(CLIENT, 'package.json'), join(CLIENT, 'tsconfig.json')]
  const texts = await Promise.all([...files, ...sources.map((name) => join(CLIENT, 'src', name))].map((file) => readFile(file, 'utf8')))
  const folder = await kept('packed-client', hashOf([...texts, process.version]), async (out) => {
    const tools = await packagesIn('typescript', TYPESCRIPT_TYPES)
    const source = join(out, 'source')
    await mkdir(join(source, 'src'), { recursive: true })
    for (const name of ['package.json', 'tsconfig.json', 'README.md']) await copyFile(join(CLIENT, name), join(source, name))
    for (const name of sources) await cp(join(CLIENT, 'src', name), join(source, 'src', name))
    await symlink(tools, join(source, 'node_modules'))
    await run(process.execPath, [join(tools, 'typescript/bin/tsc'), '-p', source], source)
    await run('npm', ['pack', '--silent', '--pack-destination', out], source)
    const [tarball = ''] = (await readdir(out)).filter((name) => name.endsWith('.tgz'))
    const project = join(out, 'project')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
    await run('npm', ['install', '--no-audit', '--no-fund', '--silent', join(out, tarball)], project)
    await copyFile(program, join(project, PROGRAM))
    await run(process.execPath, [TSC, ...STRICT, '--types', 'node', '--typeRoots', TYPES, join(project, PROGRAM)], project)
  })
  return join(folder, 'project', PROGRAM.replace('.mts', '.mjs'))
}
