import { Fault } from '../../api/fault.ts'
import type { ApprovalRule } from '../../api/queries/approvalRules.ts'
import { figureText } from '../../ui/Money.tsx'
import { numberOf, numberOrText } from '../../ui/numberText.ts'

/** A rule as the user types it: lists are separated by commas, and numbers are text. */
export interface RuleDraft {
  readonly id: string
  readonly then: ApprovalRule['then']
  readonly when: Readonly<Record<Condition, string>>
}

export const CONDITIONS = ['max_gross', 'min_lead_days', 'advertisers', 'products', 'buyers', 'market_classes', 'grains'] as const
export type Condition = (typeof CONDITIONS)[number]

export interface RulesDraft {
  readonly rules: readonly RuleDraft[]
  /** The version that the editor saw. */
  readonly version: string
}

const NUMBERS: ReadonlySet<Condition> = new Set(['max_gross', 'min_lead_days'])

export function draftOf({ id, then, when }: ApprovalRule): RuleDraft {
  return { id, then, when: Object.fromEntries(CONDITIONS.map((name) => [name, textOf(when[name])])) as RuleDraft['when'] }
}

export function newRule(taken: readonly RuleDraft[]): RuleDraft {
  const ids = new Set(taken.map(({ id }) => id))
  const number = Array.from({ length: taken.length + 1 }, (_, index) => index + 1).find((one) => !ids.has(`rule-${one}`))
  return draftOf({ id: `rule-${number}`, then: 'hold', when: {} })
}

function textOf(value: number | readonly string[] | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'number' ? String(value) : value.join(', ')
}

/** Builds the rule to send. A text that is not a number is sent unchanged, so that the API says so. */
export function ruleOf({ id, then, when }: RuleDraft): object {
  const set = CONDITIONS.filter((name) => when[name].trim() !== '')
  return { id: id.trim(), then, when: Object.fromEntries(set.map((name) => [name, memberOf(name, when[name].trim())])) }
}

function memberOf(name: Condition, text: string): unknown {
  if (!NUMBERS.has(name)) return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
  return numberOrText(text)
}

/** Writes a rule as a sentence: `gross at most 5,000.00 and buyers northlight-media`. */
export function sentenceOf({ when }: RuleDraft): string {
  const parts = CONDITIONS.flatMap((name) => (when[name].trim() === '' ? [] : [WORDS[name](when[name])]))
  return parts.length === 0 ? 'every order' : parts.join(' and ')
}

const WORDS: Readonly<Record<Condition, (text: string) => string>> = {
  max_gross: (text) => `gross at most ${Number.isFinite(numberOf(text)) ? figureText(numberOf(text)) : text}`,
  min_lead_days: (text) => `first air date at least ${text} days ahead`,
  advertisers: (text) => `advertiser ${anyOf(text)}`,
  products: (text) => `only ${anyOf(text)}`,
  buyers: (text) => `buyer ${anyOf(text)}`,
  market_classes: (text) => `only ${anyOf(text)}`,
  grains: (text) => `only by ${anyOf(text)}`,
}

function anyOf(text: string): string {
  return text
    .split(',')
    .map((item) => item.trim())
    .join(' or ')
}

/** Returns the API's faults of the rule at an index, by field; a fault that concerns no field is shown at the rule's id. */
export function faultsOf(error: unknown, index: number): ReadonlyMap<string, string> {
  if (!(error instanceof Fault)) return new Map()
  return new Map(
    (error.details.errors ?? []).flatMap(({ pointer = '', message }) => {
      const [, list, at, member, field] = pointer.split('/')
      if (list !== 'rules' || Number(at) !== index) return []
      return [[member === 'when' ? (field ?? 'id') : (member ?? 'id'), message] as const]
    }),
  )
}

export function isStale(error: unknown): boolean {
  return error instanceof Fault && error.code === 'CONFLICT'
}

/** Moves a rule up or down, which matters because the first matching rule decides. */
export function movedRule(rules: readonly RuleDraft[], from: number, to: number): readonly RuleDraft[] {
  const rule = rules[from]
  return rule === undefined || to < 0 || to >= rules.length ? rules : rules.toSpliced(from, 1).toSpliced(to, 0, rule)
}
