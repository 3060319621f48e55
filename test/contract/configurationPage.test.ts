import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/index.ts'
import { ENVIRONMENT } from '../../src/config/variables.ts'
import { makeConfigurationPage } from '../../tools/docs/makeConfigurationPage.ts'

const rows = [...makeConfigurationPage().matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)]

describe('docs/operate/configuration.md', () => {
  it('has every variable of the environment once', () => {
    expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(ENVIRONMENT.shape).sort())
  })

  it('shows defaults that are the same set as left out', () => {
    const shown = rows.flatMap(([, name = '', standard = '']) => {
      const [, value] = /^`([^`]+)`$/.exec(standard) ?? []
      return value === undefined || value === 'DATABASE_URL' ? [] : [[name, value] as const]
    })
    expect(shown.length).toBeGreaterThan(15)
    expect(readConfig(Object.fromEntries(shown))).toEqual(readConfig({}))
  })

  it('says what each variable must be, except for a directory, which can be any text', () => {
    const silent = rows.filter(([, , , , wrong = '']) => !wrong.startsWith('Must be ')).map(([, name]) => name)
    expect(silent).toEqual(['DATA_DIR'])
  })
})
