import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const SOURCE = fileURLToPath(new URL('../../console/src/', import.meta.url))

/** Words of the machine, and what people say instead. Operators' own screens may name the parts of the platform. */
const SAID_INSTEAD: Readonly<Record<string, string>> = {
  drift: 'cites a price that is replaced',
  unreachable: 'no answer',
  'wake the run': 'try again now',
  'wake-up': 'try again',
  idempotent: 'sent once',
  payload: 'what is sent',
  snapshot: 'the order as it is',
  projection: 'what the events come to',
  cursor: 'where the page ends',
  'my usual': 'your usual',
  upsert: 'add or change',
}

describe('the sentences of the console', () => {
  it('are found in texts and in the words between elements', () => {
    const source = [
      "const a = { label: 'Wake the run', other: `its $" + '{b} is lost` }',
      '// a payload',
      'return <p className={classes.drift}>The payload of {x} was lost</p>',
    ].join('\n')
    expect(sentencesOf(source)).toEqual(['Wake the run', 'its   is lost', 'The payload of ', ' was lost'])
  })

  it('have no words of the machine', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'),
    )
    expect(files.length).toBeGreaterThan(50)
    const found = files.flatMap((name) =>
      sentencesOf(readFileSync(SOURCE + name, 'utf8')).flatMap((sentence) =>
        Object.keys(SAID_INSTEAD)
          .filter((word) => new RegExp(`\\b${word}`, 'i').test(sentence))
          .map((word) => `${name}: "${sentence}" has ${word}: say ${SAID_INSTEAD[word]}`),
      ),
    )
    expect(found).toEqual([])
  })
})

/** What people may read in a source: quoted texts with a space, and the words between elements. Comments and code are none of it. */
function sentencesOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const quoted = [...code.matchAll(/'([^'\n\\]*)'|`([^`\\]*)`/g)].map(
    ([, plain, template]) => plain ?? (template ?? '').replace(/\$\{[^}]*\}/g, ' '),
  )
  const between = [...code.matchAll(/[>}]([^<>{}=;()]*)[<{]/g)].map(([, text]) => text as string)
  return [...quoted, ...between].filter((text) => /[a-z] [a-z]/i.test(text))
}
