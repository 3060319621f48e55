import type { Agreement, BuyerAgreement, PutAgreement } from '../../api/queries/agreements.ts'
import { countText, moneyText } from '../../ui/Money.tsx'

/** The members of an agreement that the seller edits here, as text; the others stay as they are. */
export const LABELS = {
  status: 'Status',
  start: 'In force from',
  end: 'In force to',
  settlement_mode: 'Settlement',
  credit_limit: 'Credit limit',
  commitment_gross: 'Commitment, gross',
  agency_commission_pct: 'Agency commission, %',
  notice_days: 'Notice of a cancel, days',
  late_fee_pct: 'Fee of a late cancel, %',
}

export type AgreementTexts = Readonly<Record<keyof typeof LABELS, string>>

/** Where the API reports a fault of each member. */
export const POINTERS: Record<string, string> = {
  start: '/effective/start',
  end: '/effective/end',
  notice_days: '/cancellation_terms/notice_days',
  late_fee_pct: '/cancellation_terms/late_fee_pct',
}

export function textsOf(agreement: Agreement): AgreementTexts {
  const { status, effective, settlement_mode, credit_limit, commitment_gross, agency_commission_pct, cancellation_terms } = agreement
  return {
    status,
    start: effective.start,
    end: effective.end,
    settlement_mode,
    credit_limit: textOf(credit_limit),
    commitment_gross: textOf(commitment_gross),
    agency_commission_pct: textOf(agency_commission_pct),
    notice_days: textOf(cancellation_terms?.notice_days),
    late_fee_pct: textOf(cancellation_terms?.late_fee_pct),
  }
}

/** The whole agreement with the edited members; an empty text leaves its member out. */
export function bodyOf(agreement: Agreement, texts: AgreementTexts): PutAgreement {
  const { credit_limit: _, commitment_gross: __, agency_commission_pct: ___, cancellation_terms: ____, ...kept } = agreement
  return {
    ...kept,
    status: texts.status as Agreement['status'],
    effective: { start: texts.start.trim(), end: texts.end.trim() },
    settlement_mode: texts.settlement_mode as Agreement['settlement_mode'],
    ...numberOf('credit_limit', texts.credit_limit),
    ...numberOf('commitment_gross', texts.commitment_gross),
    ...numberOf('agency_commission_pct', texts.agency_commission_pct),
    ...termsOf(texts),
  } as PutAgreement
}

function termsOf({ notice_days, late_fee_pct }: AgreementTexts) {
  if (notice_days.trim() === '' && late_fee_pct.trim() === '') return {}
  return { cancellation_terms: { ...numberOf('notice_days', notice_days), ...numberOf('late_fee_pct', late_fee_pct) } }
}

function numberOf(name: string, text: string): Record<string, number> {
  return text.trim() === '' ? {} : { [name]: Number(text) }
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** The terms of an agreement in words, for either side. */
export function termsText(agreement: BuyerAgreement | Agreement): [name: string, text: string][] {
  const { effective, settlement_mode, currency, credit_limit, commitment_gross, agency_commission_pct, cancellation_terms } = agreement
  const { catalog_scope, permitted_grains, permitted_buy_types, edi } = agreement
  const lines: [string, string | undefined][] = [
    ['In force', `${effective.start} to ${effective.end}`],
    ['Settlement', settlement_mode],
    ['Currency', currency],
    ['Credit limit', credit_limit === undefined ? undefined : moneyText(credit_limit, currency)],
    ['Commitment', commitment_gross === undefined ? undefined : moneyText(commitment_gross, currency)],
    ['Commission', agency_commission_pct === undefined ? undefined : `${agency_commission_pct}%`],
    [
      'Cancellation',
      cancellation_terms &&
        `${countText(cancellation_terms.notice_days, 'day')} of notice${cancellation_terms.late_fee_pct === undefined ? '' : `, late fee ${cancellation_terms.late_fee_pct}%`}`,
    ],
    ['Products', catalog_scope === '*' ? 'all' : catalog_scope.join(', ') || 'none of its own'],
    ['Periods', permitted_grains?.join(', ')],
    ['Buy types', permitted_buy_types?.join(', ').replaceAll('_', ' ')],
    ['Order mails', edi?.to],
  ]
  return lines.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))
}
