import type { Migration } from 'kysely'
import * as foundation from './migrations/0001_foundation.ts'
import * as published from './migrations/0002_published.ts'
import * as agreements from './migrations/0003_agreements.ts'
import * as registries from './migrations/0004_registries.ts'
import * as rateWindows from './migrations/0005_rate_windows.ts'
import * as revisions from './migrations/0006_revisions.ts'
import * as availsRequests from './migrations/0007_avails_requests.ts'
import * as publishStaging from './migrations/0008_publish_staging.ts'
import * as uploadLapse from './migrations/0009_upload_lapse.ts'
import * as ratesStaging from './migrations/0010_rates_staging.ts'
import * as quotes from './migrations/0011_quotes.ts'
import * as mintedProducts from './migrations/0013_minted_products.ts'
import * as approvalRules from './migrations/0016_approval_rules.ts'
import * as feedEras from './migrations/0017_feed_eras.ts'
import * as queueDeliveries from './migrations/0018_queue_deliveries.ts'
import * as secrets from './migrations/0019_secrets.ts'
import * as webhooks from './migrations/0020_webhooks.ts'
import * as holds from './migrations/0021_holds.ts'
import * as pullGate from './migrations/0022_pull_gate.ts'
import * as hotReads from './migrations/0024_hot_reads.ts'
import * as askedFor from './migrations/0035_asked_for.ts'
import * as documentReadings from './migrations/0038_document_readings.ts'
import * as holdKeys from './migrations/0039_hold_keys.ts'
import * as droppedReason from './migrations/0041_dropped_reason.ts'
import * as previousSecrets from './migrations/0042_previous_secrets.ts'
import * as twoSecretsKeys from './migrations/0043_two_secrets_keys.ts'
import * as sellerOffers from './migrations/0044_seller_offers.ts'
import * as unpublishedCommits from './migrations/0045_unpublished_commits.ts'
import * as endedQuotes from './migrations/0048_ended_quotes.ts'
import * as revisionFamilies from './migrations/0049_revision_families.ts'
import * as eventHashes from './migrations/0052_event_hashes.ts'
import * as securityEvents from './migrations/0053_security_events.ts'
import * as eventAuthority from './migrations/0054_event_authority.ts'
import * as approvalRuleDays from './migrations/0055_approval_rule_days.ts'
import * as tenantRoles from './migrations/0060_tenant_roles.ts'
import * as rowSecurity from './migrations/0061_row_security.ts'
import * as agreementIds from './migrations/0064_agreement_ids.ts'
import * as cheaperPolicies from './migrations/0065_cheaper_policies.ts'
import * as firstOrders from './migrations/0070_first_orders.ts'
import * as placedAt from './migrations/0071_placed_at.ts'
import * as exposure from './migrations/0072_exposure.ts'

/** Every migration by name, as a static object: nothing is read from the disk, so bundles and images cannot lose one. */
export const migrations: Record<string, Migration> = {
  '0001_foundation': foundation,
  '0002_published': published,
  '0003_agreements': agreements,
  '0004_registries': registries,
  '0005_rate_windows': rateWindows,
  '0006_revisions': revisions,
  '0007_avails_requests': availsRequests,
  '0008_publish_staging': publishStaging,
  '0009_upload_lapse': uploadLapse,
  '0010_rates_staging': ratesStaging,
  '0011_quotes': quotes,
  '0013_minted_products': mintedProducts,
  '0016_approval_rules': approvalRules,
  '0017_feed_eras': feedEras,
  '0018_queue_deliveries': queueDeliveries,
  '0019_secrets': secrets,
  '0020_webhooks': webhooks,
  '0021_holds': holds,
  '0022_pull_gate': pullGate,
  '0024_hot_reads': hotReads,
  '0035_asked_for': askedFor,
  '0038_document_readings': documentReadings,
  '0039_hold_keys': holdKeys,
  '0041_dropped_reason': droppedReason,
  '0042_previous_secrets': previousSecrets,
  '0043_two_secrets_keys': twoSecretsKeys,
  '0044_seller_offers': sellerOffers,
  '0045_unpublished_commits': unpublishedCommits,
  '0048_ended_quotes': endedQuotes,
  '0049_revision_families': revisionFamilies,
  '0052_event_hashes': eventHashes,
  '0053_security_events': securityEvents,
  '0054_event_authority': eventAuthority,
  '0055_approval_rule_days': approvalRuleDays,
  '0060_tenant_roles': tenantRoles,
  '0061_row_security': rowSecurity,
  '0064_agreement_ids': agreementIds,
  '0065_cheaper_policies': cheaperPolicies,
  '0070_first_orders': firstOrders,
  '0071_placed_at': placedAt,
  '0072_exposure': exposure,
}
