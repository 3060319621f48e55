import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readingOf, sheetsOf } from './reading.ts'
import { type Expected, scored } from './score.ts'
import { seeded, TAMPERS, tampered } from './tamper.ts'

const FOLDER = join(import.meta.dirname, 'documents')
const NAMES = readdirSync(FOLDER).filter((name) => /\.(pdf|xlsx|csv)$/.test(name))
const expectedOf = (name: string) => JSON.parse(readFileSync(join(FOLDER, name.replace(/\.\w+$/, '.expected.json')), 'utf8')) as Expected

describe('a document as agencies send it', () => {
  it.each(NAMES)('%s is read, asked about or refused by name', async (name) => {
    expect(scored(expectedOf(name), readingOf(name, await sheetsOf(join(FOLDER, name)))).mark).toBe('right')
  })

  it.each(NAMES)('%s is never read wrong after a damage', async (name) => {
    const sheets = await sheetsOf(join(FOLDER, name))
    const wrong = TAMPERS.flatMap((way, at) => {
      const damaged = tampered(sheets, way, seeded(at * 7919 + name.length))
      const score = damaged && scored(expectedOf(name), readingOf(name, damaged.sheets))
      return score?.mark === 'WRONG' ? [`${way} of ${damaged?.what}: ${score.why}`] : []
    })
    expect(wrong).toEqual([])
  })
})
