import type { Agreement, PutAgreement } from '../../api/queries/agreements.ts'
import { numberOrText } from '../../ui/numberText.ts'

/** The members of an agreement that its seller writes, as texts: lists separated by commas, overrides a line each. */
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

/** Where the API reports a fault of each member, if not at its name. */
export const POINTERS: Readonly<Record<string, string>> = {
  start: '/effective/start',
  end: '/effective/end',
  notice_days: '/cancellation_terms/notice_days',
  late_fee_pct: '/cancellation_terms/late_fee_pct',
  edi_to: '/edi/to',
  edi_formats: '/edi/formats',
  edi_buy_type: '/edi/buy_type',
  edi_nsi_id: '/edi/nsi_id',
  edi_syscode: '/edi/syscode',
  edi_system_name: '/edi/system_name',
  window_minutes: '/reconciliation/window_minutes',
  match_minutes: '/reconciliation/match_minutes',
}

/** An agreement that nobody has written yet, in force from a date. */
export function emptyTexts(start: string): AgreementTexts {
  const none = Object.fromEntries(Object.keys(LABELS).map((name) => [name, ''])) as AgreementTexts
  return { ...none, status: 'active', start, settlement_mode: 'direct', catalog_scope: ALL }
}

export function textsOf(agreement: Agreement): AgreementTexts {
  const { status, effective, settlement_mode, currency, credit_limit, commitment_gross, agency_commission_pct, external_ref } = agreement
  const { cancellation_terms, catalog_scope, permitted_grains, permitted_buy_types, edi, reconciliation } = agreement
  return {
    ...{ status, start: effective.start, end: effective.end, settlement_mode, currency, external_ref: external_ref ?? '' },
    credit_limit: textOf(credit_limit),
    commitment_gross: textOf(commitment_gross),
    agency_commission_pct: textOf(agency_commission_pct),
    notice_days: textOf(cancellation_terms?.notice_days),
    late_fee_pct: textOf(cancellation_terms?.late_fee_pct),
    catalog_scope: catalog_scope === ALL ? ALL : (catalog_scope as string[]).join(', '),
    permitted_grains: textOf(permitted_grains),
    permitted_buy_types: textOf(permitted_buy_types),
    ...overridesText(agreement),
    edi_to: textOf(edi?.to),
    edi_formats: textOf(edi?.formats),
    edi_buy_type: textOf(edi?.buy_type),
    edi_nsi_id: textOf(edi?.nsi_id),
    edi_syscode: textOf(edi?.syscode),
    edi_system_name: textOf(edi?.system_name),
    window_minutes: textOf(reconciliation?.window_minutes),
    match_minutes: textOf(reconciliation?.match_minutes),
  }
}

/** Every product, in a scope or an override. */
const ALL = '*'

function overridesText({ disclosure_overrides = [], posting_policy_overrides = [] }: Agreement) {
  const disclosures = disclosure_overrides.map(({ product_id, pricing_policy = '', avails_policy = '' }) =>
    [product_id, pricing_policy, avails_policy].join(' | '),
  )
  const postings = posting_policy_overrides.map(({ product_id, posting_policy }) => `${product_id} | ${posting_policy}`)
  return { disclosure_overrides: disclosures.join('\n'), posting_policy_overrides: postings.join('\n') }
}

/**
 * The whole agreement that the texts say; an empty text leaves its member out. A text that does not mean what its member holds is sent as it is, so that
 * the API says what is wrong.
 */
export function bodyOf(buyer_entity: string, texts: AgreementTexts): PutAgreement {
  const { status, start, end, settlement_mode, currency, catalog_scope, external_ref } = texts
  const scope = catalog_scope.trim() === ALL ? ALL : listOf(catalog_scope)
  const sent = {
    ...{ buyer_entity: buyer_entity.trim(), status, settlement_mode, catalog_scope: scope },
    effective: { start: start.trim(), end: end.trim() },
    ...given({ currency: plain(currency)?.toUpperCase(), external_ref: plain(external_ref) }),
    ...given({
      credit_limit: number(texts.credit_limit),
      commitment_gross: number(texts.commitment_gross),
      agency_commission_pct: number(texts.agency_commission_pct),
      permitted_grains: list(texts.permitted_grains),
      permitted_buy_types: list(texts.permitted_buy_types),
      disclosure_overrides: lines(texts.disclosure_overrides, ['product_id', 'pricing_policy', 'avails_policy']),
      posting_policy_overrides: lines(texts.posting_policy_overrides, ['product_id', 'posting_policy']),
      cancellation_terms: whole({ notice_days: number(texts.notice_days), late_fee_pct: number(texts.late_fee_pct) }),
      reconciliation: whole({ window_minutes: number(texts.window_minutes), match_minutes: number(texts.match_minutes) }),
      edi: ediOf(texts),
    }),
  }
  return sent as PutAgreement
}

function ediOf({ edi_to, edi_formats, edi_buy_type, edi_nsi_id, edi_syscode, edi_system_name }: AgreementTexts) {
  return whole({
    ...{ to: plain(edi_to), formats: list(edi_formats), buy_type: plain(edi_buy_type) },
    ...{ nsi_id: number(edi_nsi_id), syscode: plain(edi_syscode), system_name: plain(edi_system_name) },
  })
}

/** A line of an override: `product | policy`, and so on by the names. */
function lines(text: string, names: readonly string[]): object[] | undefined {
  const entries = text.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    const cells = line.split('|').map((cell) => cell.trim())
    return [given(Object.fromEntries(names.map((name, place) => [name, cells[place] || undefined])))]
  })
  return entries.length > 0 ? entries : undefined
}

function whole(members: Readonly<Record<string, unknown>>): object | undefined {
  const said = given(members)
  return Object.keys(said).length > 0 ? said : undefined
}

function given(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function plain(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim()
}

function number(text: string): number | string | undefined {
  return plain(text) === undefined ? undefined : numberOrText(text.trim())
}

function list(text: string): string[] | undefined {
  const items = listOf(text)
  return items.length > 0 ? items : undefined
}

/** The items of a list that is typed with commas. */
export function listOf(text: string): string[] {
  return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
}

function textOf(value: number | string | readonly string[] | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? value.join(', ') : String(value)
}
