import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

/** What is said instead of a word that had no meaning of its own, or several (docs/build/style.md, One word each). */
const OLD: readonly { readonly old: RegExp; readonly now: string }[] = [
  { old: /\bMOST(?:_[A-Z]|\b)/, now: 'MAX_…' },
  { old: /\b(?:[A-Z]+_)*AT_ONCE\b/, now: 'MAX_CONCURRENT_… or …_PER_BATCH' },
  { old: /\bWAITS_MS\b/, now: 'RETRY_DELAYS_MS' },
  { old: /\b(?:giveBack|lent|departed)\b[(,)]/, now: 'release, sent' },
  { old: /\b(?:AttemptBook)\b/, now: 'AttemptSink' },
  { old: /\b(?:SightKey|inSight|inSightOf|dealingWith)\b/, now: 'TenantScope, scopedTo, withCounterparty' },
  { old: /\b[sS]tanding[A-Z]\w*/, now: 'open… or current…' },
  { old: /\bsettle(?!ment|Variance)[A-Z]\w*/, now: 'close…, resolve… or reconcile…, but for money' },
  { old: /\bforget[A-Z]\w*/, now: 'deleteOld… or delete…' },
  { old: /\bask: (?!LineResult|Decimal)[A-Z]|\bconst ask = [{(]/, now: 'request' },
  { old: /\bconst standing\b|\bstanding: readonly\b/, now: 'open… or current…; a standing is what a seller has set for a buyer' },
  { old: /\b[A-Z]\w*Ask\b/, now: '…Request; an ask is a line that a counter answers' },
  {
    old: /\b(?:rememberApiUse|showMarket|boundGarbage|answerAsked|againIfTaken|noForeignAgreement|readSurroundings|dropRowsAside)\b/,
    now: 'what it does',
  },
  { old: /\b(?:mailsOf|ofTypesIn)\b/, now: 'a name that reads alone' },
  { old: /\/?\*\*? Does the same\b/, now: 'a comment that reads in a hover' },
]
const ROOMS = ['src', 'api', 'workflows', 'activities', 'worker', 'sftp', 'bounces', 'tools']

describe('the words of the code', () => {
  it.each(OLD)('are never $old, but $now', ({ old }) => {
    expect(FILES.filter((file) => old.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  it('are looked at in every room of the service', () => {
    expect(FILES.length).toBeGreaterThan(700)
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : /\.tsx?$/.test(path) ? [path] : []
  })
}

const FILES = ROOMS.flatMap(filesBelow)
