import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from '../../src/config/root.ts'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { EDI_STUCK_REASONS } from '../../src/contract/vocabulary/edi.ts'
import { makeStuckReasonsPage } from '../../tools/docs/makeStuckReasonsPage.ts'

const documented = [...makeStuckReasonsPage().matchAll(/^\| `([^`]+)` \|/gm)].map(([, reason = '']) => reason)

/** The words with which activities fail, which the runs that called them show: literals of the type of an ApplicationFailure. */
function failures(): string[] {
  const sources = readdirSync(join(ROOT, 'activities')).map((file) => readFileSync(join(ROOT, 'activities', file), 'utf8'))
  const types = sources.flatMap((text) => [
    ...[...text.matchAll(/ApplicationFailure\.create\(\{[^}]*?\btype: ([^,}]+)/g)].map(([, type = '']) => type),
    ...[...text.matchAll(/ApplicationFailure\.nonRetryable\('[^']*', ([^)]+)\)/g)].map(([, type = '']) => type),
  ])
  return types.flatMap((type) => [...type.matchAll(/'([^']+)'/g)].map(([, word = '']) => word))
}

describe('docs/operate/stuck-reasons.md', () => {
  it('has every word with which an activity fails', () => {
    const known = [...documented, ...Object.keys(ERRORS)]
    expect(failures()).toEqual(expect.arrayContaining(['upload_missing', 'permits_taken', 'database_unavailable', 'unexpected']))
    expect(failures().filter((word) => !known.includes(word))).toEqual([])
  })

  it('has those of mails, of seller calls and of drops', () => {
    expect(documented).toEqual(expect.arrayContaining(EDI_STUCK_REASONS.map((reason) => `mail:${reason}`)))
    expect(documented).toEqual(expect.arrayContaining(['unreachable:{fault}', 'secret_missing', 'spool_full', 'no_progress']))
  })
})
