import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { addTo } from '../../src/domain/addTo.ts'
import { startTestRun } from '../support/engines/testRun.ts'
import { isEquivalent } from './equivalent.ts'
import type { Mutant } from './mutant.ts'
import { MUTATED, mutantsOfFiles, mutatedBuild } from './mutatedBuild.ts'
import { type Outcome, Trial } from './trial.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * `npm run mutate -- <files or folders>`: puts one fault after another into the code, runs the nearest tests on each, and prints those that
 * no test notices. `--share 0.1` tries a part of the faults, those of one `--draw`; `--line 12` those of a line; `--sql` those of SQL;
 * `--tests` names other tests or folders; `--max 20` bounds the seconds of tests per fault.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      share: { type: 'string', default: '1' },
      draw: { type: 'string', default: '1' },
      max: { type: 'string', default: '60' },
      line: { type: 'string' },
      sql: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      tests: { type: 'string', multiple: true },
    },
  })
  const files = (await Promise.all(positionals.map(filesOf))).flat()
  if (files.length === 0) throw new Error('Which files or folders?')
  const mutantsOf = await mutantsOfFiles(files)
  const mutants = [...mutantsOf.values()].flat()
  const { share, draw, line, sql } = values
  const tried = mutants
    .filter((mutant) => !isEquivalent(mutant))
    .filter(
      (mutant) =>
        isDrawn(mutant, Number(share), Number(draw)) &&
        (line === undefined || mutant.line === Number(line)) &&
        (!sql || SQL.has(mutant.kind)),
    )
  if (values.list) return void tried.forEach(show)
  await mutatedBuild(mutantsOf)
  const pure = (values.tests ?? []).every((path) => path.startsWith('test/domain')) && files.every((file) => file.startsWith('src/domain/'))
  const stop = pure ? undefined : await startTestRun(1)
  try {
    const trial = new Trial({
      mutants,
      tests: values.tests && (await Promise.all(values.tests.map(filesOf))).flat(),
      mostSeconds: Number(values.max),
    })
    const outcomes = await trial.all(tried)
    await writeFile(join(MUTATED, 'outcomes.json'), JSON.stringify(outcomes, null, 1))
    process.stdout.write(tableOf(outcomes))
  } finally {
    await stop?.()
  }
}

const SQL = new Set(
  [
    'condition,alternative,comparison,direction,tie-breaker,lock,limit,interval,greatest,least,max,min,coalesce,distinct,join',
    'no where,no whereRef,no on,no onRef,no having,no orderBy,no limit,no offset,no distinct,no forUpdate,no forNoKeyUpdate,no forShare',
    'no skipLocked,innerJoin,leftJoin',
  ].flatMap((kinds) => kinds.split(',')),
)

async function filesOf(path: string): Promise<string[]> {
  if ((await stat(join(ROOT, path))).isFile()) return [path]
  const names = await readdir(join(ROOT, path), { recursive: true })
  const end = path.startsWith('test/') ? '.test.ts' : '.ts'
  return names
    .filter((name) => name.endsWith(end) && !name.includes('migrations/'))
    .map((name) => join(path, name))
    .sort()
}

/** Spreads a share evenly, the same in each run of one draw. */
function isDrawn({ id }: Mutant, share: number, draw: number): boolean {
  return (Math.imul(id + draw * 7919, 2654435761) >>> 0) / 2 ** 32 < share
}

function show({ id, file, line, kind, text, atLoad }: Mutant): void {
  process.stdout.write(`${id} ${file}:${line} ${kind}${atLoad ? ' (at load)' : ''} => ${text.replace(/\s+/g, ' ').slice(0, 120)}\n`)
}

/** The table of a run: how many faults of each folder were noticed. */
function tableOf(outcomes: readonly Outcome[]): string {
  const folders = new Map<string, Outcome[]>()
  for (const outcome of outcomes) addTo(folders, folderOf(outcome.mutant.file), outcome)
  const lines = [...folders].map(([folder, own]) => {
    const killed = own.filter(({ end }) => end !== 'survived' && end !== 'unreached').length
    return `| \`${folder}/\` | ${own.length} | ${killed} | ${((100 * killed) / own.length).toFixed(0)} % |\n`
  })
  return `\n| Folder | Faults | Noticed | |\n|---|---|---|---|\n${lines.join('')}`
}

function folderOf(file: string): string {
  const depth = /^src\/(store|domain)\//.test(file) ? 3 : 2
  return file
    .split('/')
    .slice(0, depth)
    .join('/')
    .replace(/\/[^/]*\.ts$/, '')
}

await main()
