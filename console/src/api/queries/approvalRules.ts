import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type UsedRule = Schemas['UsedApprovalRule']
export type ApprovalRule = Schemas['ApprovalRule']
export type Capabilities = Schemas['Capabilities']

/** The approval rules in order, with the version that a replacement must name. */
export const rulesRead = queryOptions({
  queryKey: ['rules'],
  queryFn: async ({ signal }) => versioned(await resultOf(api.GET('/me/approval-rules', { signal }))),
})

export async function replaceRules(rules: readonly object[], version: string) {
  const params = { header: { 'If-Match': version } }
  return versioned(await resultOf(api.PUT('/me/approval-rules', { params, body: { rules: rules as ApprovalRule[] } })))
}

/** The capabilities that the seller declares. */
export const capabilitiesRead = queryOptions({
  queryKey: ['capabilities'],
  queryFn: async ({ signal }) => versioned(await resultOf(api.GET('/me/capabilities', { signal }))),
})

/** Replaces the profile, without the members that the platform computes. */
export async function replaceProfile(capabilities: Capabilities, version: string) {
  const { conformance_level: _, next_level: __, warnings: ___, ...profile } = capabilities
  return versioned(await resultOf(api.PUT('/me/capabilities', { params: { header: { 'If-Match': version } }, body: profile })))
}

function versioned<Data extends object>({ data, response }: { data: Data; response: Response }): Data & { readonly version: string } {
  return { ...data, version: response.headers.get('ETag') ?? '*' }
}
