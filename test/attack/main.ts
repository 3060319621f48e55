import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `npm run attack [-- <pattern>]`: runs every attack at full size, one after another and with new examples each time, and prints a table of the results. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-attack-'))
  const table = join(folder, 'table.jsonl')
  const pattern = process.argv[2] ?? 'test/attack/'
  const jest = ['node_modules/jest/bin/jest.js', '-c', 'jest.config.js', '--runInBand', '--testTimeout', '600000', pattern]
  const { PROPERTY_SEED = String(randomInt(2 ** 31)) } = process.env
  process.stdout.write(`PROPERTY_SEED=${PROPERTY_SEED}\n`)
  const env = { ...process.env, PROPERTY_SEED, ATTACK: 'long', ATTACK_TABLE: table, NODE_OPTIONS: '--experimental-vm-modules' }
  const child = spawn(process.execPath, jest, { env, stdio: 'inherit' })
  process.exitCode = await new Promise<number>((done) => child.once('close', (code) => done(code ?? 1)))
  process.stdout.write(rendered(await readFile(table, 'utf8').catch(() => '')))
  await rm(folder, { recursive: true })
}

function rendered(lines: string): string {
  const rows = lines.split('\n').filter((line) => line !== '')
  const rendered = rows.map((line) => {
    const { attack, figures } = JSON.parse(line) as { attack: string; figures: Record<string, string | number> }
    const texts = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`)
    return `| ${attack} | ${texts.join(', ')} |\n`
  })
  return rendered.length === 0 ? '' : `\n| Attack | Result |\n|---|---|\n${rendered.join('')}`
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
