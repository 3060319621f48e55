import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const FOLDER = join(import.meta.dirname, '..', 'attack')
const ATTACKS = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))

describe('the table of npm run attack', () => {
  it.each(ATTACKS)('has a row of %s', (name) => {
    const source = readFileSync(join(FOLDER, name), 'utf8')
    // Either it writes its row itself, or a flood beside a tenant writes it.
    expect(source).toMatch(/from '\.\/support\/(table|besideFlood)\.ts'/)
    expect(source).toMatch(/\b(report|besideFlood)\(/)
  })

  it('is of attacks that npm test runs too', () => {
    const sources = ATTACKS.map((name) => readFileSync(join(FOLDER, name), 'utf8'))
    expect(sources.length).toBeGreaterThan(10)
    for (const source of sources) expect(source).not.toMatch(/\b(it|describe)\.(skip|only)\b|IS_LONG \? (it|describe)\b/)
  })
})
