import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { printedReading, readingOf, sheetsOf } from './reading.ts'
import { type Expected, type Mark, scored } from './score.ts'
import { seeded, TAMPERS, tampered } from './tamper.ts'
import { madeVariants } from './variants.ts'

/**
 * `npm run corpus`: reads each document of a folder, compares it with its expected reading, and prints a table by family: right, asked, refused
 * and wrong. Ends with 1 if one is wrong. A document without an expectation is printed as it was read.
 */
async function main(): Promise<void> {
  const command = new Command()
    .argument(
      '[folder]',
      'a folder of documents, each with <name>.expected.json beside it or without',
      join(import.meta.dirname, 'documents'),
    )
    .option('--variants <count>', 'make so many documents of each family (needs Python and make/requirements.txt) and read them', Number)
    .option('--seed <number>', 'the seed of the variants', Number, 1)
    .option('--tamper <times>', 'damage each document so many times in each way, too', Number, 0)
    .option('--verbose', 'tell what was asked of each document')
    .parse()
  const { variants, seed, tamper, verbose } = command.opts<{ variants?: number; seed: number; tamper: number; verbose?: boolean }>()
  const folder = variants === undefined ? (command.args[0] ?? join(import.meta.dirname, 'documents')) : madeVariants(variants, seed)
  const table = new Map<string, Record<Mark | 'asked' | 'refused', number>>()
  for (const name of readdirSync(folder)
    .filter((file) => /\.(pdf|xlsx|csv)$/i.test(file))
    .sort()) {
    await readOne(folder, name, { table, tamper, verbose: verbose === true })
  }
  console.table(Object.fromEntries(table))
  const wrong = [...table.values()].reduce((sum, { WRONG }) => sum + WRONG, 0)
  if (wrong > 0) process.exit(1)
}

interface Run {
  readonly table: Map<string, Record<Mark | 'asked' | 'refused', number>>
  readonly tamper: number
  readonly verbose: boolean
}

async function readOne(folder: string, name: string, { table, tamper, verbose }: Run): Promise<void> {
  const path = join(folder, name)
  const stem = path.replace(/\.\w+$/, '')
  const sheets = await sheetsOf(path)
  const reading = readingOf(name, sheets)
  if (!existsSync(`${stem}.expected.json`)) {
    console.log(printedReading(reading))
    return
  }
  const expected = JSON.parse(readFileSync(`${stem}.expected.json`, 'utf8')) as Expected
  const family = /^[a-z]?\d+|^x\d|^[a-z-]+(?=-\d)/.exec(name)?.[0] ?? name
  const row = table.get(family) ?? { right: 0, safe: 0, WRONG: 0, asked: 0, refused: 0 }
  table.set(family, row)
  const { mark, why } = scored(expected, reading)
  row[mark] += 1
  if (reading.verdict !== 'read') row[reading.verdict === 'ask' ? 'asked' : 'refused'] += 1
  if (mark !== 'right' || verbose) console.log(`${mark.padEnd(6)} ${name} [${expected.verdict}] ${why}`)
  for (const way of TAMPERS) {
    for (let time = 0; time < tamper; time += 1) {
      const damaged = tampered(sheets, way, seeded(time * 7919 + name.length * 31 + name.charCodeAt(3)))
      const after = damaged && scored(expected, readingOf(name, damaged.sheets))
      if (after?.mark !== 'WRONG') continue
      row.WRONG += 1
      console.log(`WRONG  ${name} after "${way}" of ${damaged?.what}: ${after.why}`)
    }
  }
}

await main()
