import type { LineResult } from '../../contract/lineItem.ts'
import type { ScxDemo } from './scxTree.ts'

/** The demographic groups of SCX by the letter of an audience code. */
const GROUPS: Record<string, string> = {
  A: 'Adults',
  C: 'Children',
  F: 'Women',
  K: 'Children',
  M: 'Men',
  P: 'Persons',
  T: 'Teens',
  W: 'Women',
}
const OLDEST = 99

/** Returns the demos of a document, ranked in the order in which lines name them, each audience code once. */
export function demosOf(lines: readonly LineResult[]): ReadonlyMap<string, ScxDemo> {
  const demos = new Map<string, ScxDemo>()
  for (const { rate } of lines) {
    const code = rate.audience_code
    const demo = code === undefined || demos.has(code) ? undefined : demoOf(code)
    if (code !== undefined && demo !== undefined) demos.set(code, { '@demoRank': demos.size + 1, ...demo })
  }
  return demos
}

/** Returns the demo that a code such as A25-54, W18+ or HH names; undefined if SCX cannot express it. */
function demoOf(code: string): Omit<ScxDemo, '@demoRank'> | undefined {
  if (code === 'HH') return { group: 'Households', ageFrom: 0, ageTo: OLDEST }
  const [, letter = '', from, to] = /^([A-Z])(\d{1,2})(?:-(\d{1,2})|\+)$/.exec(code) ?? []
  const group = GROUPS[letter]
  const ageFrom = Number(from)
  const ageTo = to === undefined ? OLDEST : Number(to)
  return group === undefined || ageFrom > ageTo ? undefined : { group, ageFrom, ageTo }
}
