import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../src/config/root.ts'

/** Tests that work on orders, through the API and in separate processes. */
const TESTS = ['test/api/orders/', 'test/worker/', 'test/operations/webhooks/']

/**
 * `npm run test:earlier -- <commit> [<pattern> ...]`: tests of an earlier release with its own code on this schema, as during an upgrade.
 * It is not part of the test run, since a copy of the source may have no history.
 */
async function main(): Promise<void> {
  const [commit, ...patterns] = process.argv.slice(2)
  if (commit === undefined) throw new Error('npm run test:earlier -- <commit>: the tag or commit of the previous release.')
  const folder = await mkdtemp(join(tmpdir(), 'earlier-release-'))
  try {
    await checkOut(commit, folder)
    await rm(join(folder, MIGRATIONS), { recursive: true })
    await cp(join(ROOT, MIGRATIONS), join(folder, MIGRATIONS), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    process.exitCode = await runTests(folder, patterns.length > 0 ? patterns : TESTS)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const MIGRATIONS = 'src/store/migrations'

async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'source.tar')
  await promisify(execFile)('git', ['-C', ROOT, 'archive', '--output', archive, commit])
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  await mkdir(join(folder, 'console/dist'), { recursive: true }) // nothing requests its console, so it is not built
}

function runTests(folder: string, patterns: readonly string[]): Promise<number> {
  const jest = join(folder, 'node_modules/jest/bin/jest.js')
  const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules', CONSOLE_BUILD: 'off', BUILD_DIR: '' }
  const child = spawn(process.execPath, [jest, '-c', 'jest.config.js', ...patterns], { cwd: folder, env, stdio: 'inherit' })
  return new Promise((done) => child.once('close', (code) => done(code ?? 1)))
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
