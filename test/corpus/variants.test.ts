import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { hashOf, hasPython, kept, run } from '../clients/generators.ts'
import { pip, pythonVersion } from '../clients/pythonTools.ts'
import { readingOf, sheetsOf } from './reading.ts'
import { type Expected, scored } from './score.ts'
import { madeVariants } from './variants.ts'

const REQUIREMENTS = join(import.meta.dirname, 'make', 'requirements.txt')
/** Another seed than that of the documents, so that the suite reads what nobody has looked at. */
const SEED = 7

if (!hasPython)
  process.stdout.write('There is no python3 with venv: no variants of the corpus are read.\n')

  /** The smallest size of `npm run corpus -- --variants 500`. */
;(hasPython ? describe : describe.skip)('a seeded variant of each family of layouts', () => {
  it('is never read wrong', async () => {
    const venv = await kept('corpus-making', hashOf([await pythonVersion(), readFileSync(REQUIREMENTS, 'utf8')]), async (made) => {
      await run('python3', ['-m', 'venv', made])
      await pip(made, '--requirement', REQUIREMENTS)
    })
    const folder = madeVariants(1, SEED, join(venv, 'bin/python'))
    try {
      const wrong: string[] = []
      let read = 0
      for (const name of readdirSync(folder).filter((file) => /\.(pdf|xlsx|csv)$/.test(file))) {
        const expectation = join(folder, name.replace(/\.\w+$/, '.expected.json'))
        if (!existsSync(expectation)) continue
        const { mark, why } = scored(
          JSON.parse(readFileSync(expectation, 'utf8')) as Expected,
          readingOf(name, await sheetsOf(join(folder, name))),
        )
        read += 1
        if (mark === 'WRONG') wrong.push(`${name}: ${why}`)
      }
      expect(wrong).toEqual([])
      expect(read).toBeGreaterThan(12)
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 600_000)
})
