import type { Agreement, PutAgreement } from '../../api/queries/agreements.ts'
import { numberOrText } from '../../ui/numberText.ts'
import { itemsOf, itemsText } from '../../ui/tables.ts'

/** The members of an agreement that its seller edits as text: lists are separated by commas, and each override has its own line. */
export const LABELS = {
  status: 'Status',
  start: 'In force from',
  end: 'In force to',
  settlement_mode: 'Settlement',
  currency: 'Currency',
  credit_limit: 'Credit limit',
  commitment_gross: 'Commitment, gross',
  agency_commission_pct: 'Agency commission, %',
  notice_days: 'Notice of a cancel, days',
  late_fee_pct: 'Fee of a late cancel, %',
  catalog_scope: 'Products',
  permitted_grains: 'Periods',
  permitted_buy_types: 'Buy types',
  disclosure_overrides: 'Disclosure to this buyer',
  posting_policy_overrides: 'Posting policies',
  edi_to: 'Mail address',
  edi_formats: 'Forms',
  edi_buy_type: 'Weeks as',
  edi_nsi_id: 'NSI market',
  edi_syscode: 'Syscode',
  edi_system_name: 'System',
  window_minutes: 'Around its window, minutes',
  match_minutes: 'Between log and invoice, minutes',
  external_ref: 'Your reference',
}

export type AgreementTexts = Readonly<Record<keyof typeof LABELS, string>>

/** How a member is converted to text and back; `before` is the value that the text came from. An empty text leaves the member out. */
interface Kind {
  readonly textOf: (value: unknown) => string
  readonly valueOf: (text: string, before: unknown) => unknown
}

const plainText = (value: unknown) => (value === undefined ? '' : String(value))

const PLAIN: Kind = { textOf: plainText, valueOf: plain }
/** A required member is sent even if it is empty, so that the API says what is wrong with it. */
const REQUIRED: Kind = { textOf: plainText, valueOf: (text) => text.trim() }
const CURRENCY: Kind = { textOf: plainText, valueOf: (text) => plain(text)?.toUpperCase() }
const NUMBER: Kind = { textOf: plainText, valueOf: (text) => (plain(text) === undefined ? undefined : numberOrText(text.trim())) }
const LIST: Kind = {
  textOf: (items = []) => itemsText(items as string[]),
  valueOf: (text) => (itemsOf(text).length > 0 ? itemsOf(text) : undefined),
}

/** Stands for every product in a scope or an override. */
const ALL = '*'

const SCOPE: Kind = {
  textOf: (scope) => (scope === ALL ? ALL : LIST.textOf(scope)),
  valueOf: (text) => (text.trim() === ALL ? ALL : itemsOf(text)),
}

type Entry = Readonly<Record<string, string | undefined>>

/** Writes each override on its own line: `product | policy`, and further members in the order of their names. */
function linesOf(...names: string[]): Kind {
  const lineText = (entry: Entry) => names.map((name) => (entry[name] ?? '').replace(/[\r\n]+/g, ' ')).join(' | ')
  return {
    textOf: (entries = []) => (entries as Entry[]).map(lineText).join('\n'),
    valueOf: (text, before = []) => {
      // An unchanged line keeps its original entry, including members that the text cannot express.
      const known = new Map((before as Entry[]).map((entry) => [lineText(entry), entry]))
      const entries = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [known.get(line) ?? entryOf(line, names)]))
      return entries.length > 0 ? entries : undefined
    },
  }
}

/** The last member takes the rest of the line, since a policy is free text and may contain a bar. */
function entryOf(line: string, names: readonly string[]): Entry {
  const cells = line.split('|')
  const last = names.length - 1
  const values = [...cells.slice(0, last), cells.slice(last).join('|')].map(plain)
  return Object.fromEntries(names.flatMap((name, place) => (values[place] === undefined ? [] : [[name, values[place]]])))
}

interface Field {
  readonly kind: Kind
  /** The member of the agreement, and the member within it if its value is an object. */
  readonly path: readonly [member: string, part?: string]
}

const field = (kind: Kind, ...path: Field['path']): Field => ({ kind, path })

const FIELDS: Readonly<Record<keyof typeof LABELS, Field>> = {
  status: field(REQUIRED, 'status'),
  start: field(REQUIRED, 'effective', 'start'),
  end: field(REQUIRED, 'effective', 'end'),
  settlement_mode: field(REQUIRED, 'settlement_mode'),
  currency: field(CURRENCY, 'currency'),
  credit_limit: field(NUMBER, 'credit_limit'),
  commitment_gross: field(NUMBER, 'commitment_gross'),
  agency_commission_pct: field(NUMBER, 'agency_commission_pct'),
  notice_days: field(NUMBER, 'cancellation_terms', 'notice_days'),
  late_fee_pct: field(NUMBER, 'cancellation_terms', 'late_fee_pct'),
  catalog_scope: field(SCOPE, 'catalog_scope'),
  permitted_grains: field(LIST, 'permitted_grains'),
  permitted_buy_types: field(LIST, 'permitted_buy_types'),
  disclosure_overrides: field(linesOf('product_id', 'pricing_policy', 'avails_policy'), 'disclosure_overrides'),
  posting_policy_overrides: field(linesOf('product_id', 'posting_policy'), 'posting_policy_overrides'),
  edi_to: field(PLAIN, 'edi', 'to'),
  edi_formats: field(LIST, 'edi', 'formats'),
  edi_buy_type: field(PLAIN, 'edi', 'buy_type'),
  edi_nsi_id: field(NUMBER, 'edi', 'nsi_id'),
  edi_syscode: field(PLAIN, 'edi', 'syscode'),
  edi_system_name: field(PLAIN, 'edi', 'system_name'),
  window_minutes: field(NUMBER, 'reconciliation', 'window_minutes'),
  match_minutes: field(NUMBER, 'reconciliation', 'match_minutes'),
  external_ref: field(PLAIN, 'external_ref'),
}

const NAMES = Object.keys(FIELDS) as (keyof AgreementTexts)[]

/** Returns the JSON pointer at which the API reports a fault of a member. */
export function pointerOf(name: keyof AgreementTexts): string {
  return `/${FIELDS[name].path.join('/')}`
}

/** Returns the default texts of a new agreement that is in force from a date. */
export function emptyTexts(start: string): AgreementTexts {
  return { ...textsBy(() => ''), status: 'active', start, settlement_mode: 'direct', catalog_scope: ALL }
}

export function textsOf(agreement: Agreement): AgreementTexts {
  return textsBy((name) => FIELDS[name].kind.textOf(valueAt(agreement, FIELDS[name])))
}

function textsBy(textOf: (name: keyof AgreementTexts) => string): AgreementTexts {
  return Object.fromEntries(NAMES.map((name) => [name, textOf(name)])) as AgreementTexts
}

type Members = Readonly<Record<string, unknown>>

function valueAt(members: object, { path: [member, part] }: Field): unknown {
  const value = (members as Members)[member]
  return part === undefined ? value : (value as Members | undefined)?.[part]
}

/** Returns the new agreement that these texts describe. */
export function grantOf(buyer_entity: string, texts: AgreementTexts): PutAgreement {
  return changed({ buyer_entity: buyer_entity.trim() }, texts, undefined)
}

/** Applies the changed texts to an agreement. Other members keep their values, since a text cannot express every value. */
export function bodyOf(document: Agreement, texts: AgreementTexts): PutAgreement {
  return changed(document, texts, textsOf(document))
}

/** Sends a text that cannot be parsed unchanged, so that the API says what is wrong. */
function changed(document: object, texts: AgreementTexts, before: AgreementTexts | undefined): PutAgreement {
  const names = NAMES.filter((name) => texts[name] !== before?.[name])
  return names.reduce<Members>((body, name) => {
    const { kind, path } = FIELDS[name]
    return put(body, path, kind.valueOf(texts[name], valueAt(document, FIELDS[name])))
  }, document as Members) as PutAgreement
}

/** Leaves out members without a value, and objects that have become empty. */
function put(members: Members, [member, part]: Field['path'], value: unknown): Members {
  if (part === undefined) return given({ ...members, [member]: value })
  const parts = given({ ...(members[member] as Members | undefined), [part]: value })
  return given({ ...members, [member]: Object.keys(parts).length > 0 ? parts : undefined })
}

function given(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function plain(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim()
}
