import type { Agreement, BuyerAgreement } from '../../api/queries/agreements.ts'
import { countText, moneyText } from '../../ui/Money.tsx'

/** Writes the terms of an agreement for people of either side. */
export function termsText(agreement: BuyerAgreement | Agreement): [name: string, text: string][] {
  const { effective, settlement_mode, currency, credit_limit, commitment_gross, agency_commission_pct, cancellation_terms } = agreement
  const { catalog_scope, permitted_grains, permitted_buy_types, disclosure_overrides, posting_policy_overrides, edi } = agreement
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
    ['Disclosure', countOf(disclosure_overrides?.length, 'override')],
    ['Posting', countOf(posting_policy_overrides?.length, 'override')],
    ['Order mails', edi?.to],
    ['Reference', 'external_ref' in agreement ? agreement.external_ref : undefined],
  ]
  return lines.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))
}

function countOf(count: number | undefined, one: string): string | undefined {
  return count === undefined || count === 0 ? undefined : countText(count, one)
}
