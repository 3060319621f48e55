import type { AuditEntry, Capabilities, SellerProfile } from '../../api/queries/profile.ts'

/** The members of a profile as text; a switch is `yes` or `no`. */
export const LABELS = {
  approval: 'Orders are decided by',
  access: 'Orders are taken from',
  catalog: 'Orders by lines',
  proposal: 'Requests for a proposal',
  document: 'Orders by document',
  negotiation: 'Negotiation',
  holds: 'Holds',
  realtime_availability: 'Live availability',
  rates: 'Rates',
  max_decision_latency_minutes: 'Decision within, minutes',
  min_lead_minutes: 'Lead time, minutes',
  quote_ttl_minutes: 'A quote is open for, minutes',
  base_url: 'Address of your API',
  secret_ref: 'Name of its secret',
  max_concurrent: 'Calls at once',
}

export type ProfileTexts = Readonly<Record<keyof typeof LABELS, string>>

/** The JSON pointer at which the API reports a fault of each member. */
export const POINTERS: Record<string, string> = {
  catalog: '/modes/catalog',
  proposal: '/modes/proposal',
  document: '/modes/document',
  rates: '/rate_management/rates',
  max_decision_latency_minutes: '/sla/max_decision_latency_minutes',
  min_lead_minutes: '/sla/min_lead_minutes',
  base_url: '/transports/pull/base_url',
  secret_ref: '/transports/pull/secret_ref',
  max_concurrent: '/transports/pull/max_concurrent',
}

export function textsOf(profile: Capabilities): ProfileTexts {
  const { modes, sla, transports, rate_management, approval, access, quote_ttl_minutes } = profile
  return {
    approval,
    access,
    catalog: yesNo(modes.catalog),
    proposal: yesNo(modes.proposal),
    document: yesNo(modes.document),
    negotiation: yesNo(profile.negotiation),
    holds: yesNo(profile.holds),
    realtime_availability: yesNo(profile.realtime_availability),
    rates: rate_management.rates,
    max_decision_latency_minutes: String(sla.max_decision_latency_minutes),
    min_lead_minutes: String(sla.min_lead_minutes),
    quote_ttl_minutes: String(quote_ttl_minutes),
    base_url: transports.pull?.base_url ?? '',
    secret_ref: transports.pull?.secret_ref ?? '',
    max_concurrent: transports.pull?.max_concurrent === undefined ? '' : String(transports.pull.max_concurrent),
  }
}

/** Builds the whole profile; without both an address and a secret, the marketplace calls no API of the seller. */
export function bodyOf(texts: ProfileTexts): SellerProfile {
  const pull = {
    base_url: texts.base_url.trim(),
    secret_ref: texts.secret_ref.trim(),
    ...(texts.max_concurrent.trim() !== '' && { max_concurrent: Number(texts.max_concurrent) }),
  }
  return {
    transports: pull.base_url === '' && pull.secret_ref === '' ? {} : { pull },
    modes: { catalog: isYes(texts.catalog), proposal: isYes(texts.proposal), document: isYes(texts.document) },
    approval: texts.approval as Capabilities['approval'],
    sla: {
      max_decision_latency_minutes: Number(texts.max_decision_latency_minutes),
      min_lead_minutes: Number(texts.min_lead_minutes),
    },
    rate_management: { rates: texts.rates as Capabilities['rate_management']['rates'] },
    realtime_availability: isYes(texts.realtime_availability),
    negotiation: isYes(texts.negotiation),
    holds: isYes(texts.holds),
    quote_ttl_minutes: Number(texts.quote_ttl_minutes),
    access: texts.access as Capabilities['access'],
  }
}

export function isYes(text: string | undefined): boolean {
  return text === 'yes'
}

export function yesNo(on: boolean): string {
  return on ? 'yes' : 'no'
}

/** Describes the change in an entry of the audit log: `approval: api to console`. */
export function changesText({ before, after }: AuditEntry): string {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[]
  if (was === undefined || is === undefined || before === null || after === null) return ''
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changed = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  return changed.map((name) => `${name.replaceAll('_', ' ')}: ${valueText(was[name])} to ${valueText(is[name])}`).join(', ')
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
