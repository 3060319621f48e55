import type { Migration } from 'kysely'
import * as foundation from './0001_foundation.ts'
import * as published from './0002_published.ts'
import * as agreements from './0003_agreements.ts'
import * as registries from './0004_registries.ts'
import * as rateWindows from './0005_rate_windows.ts'
import * as revisions from './0006_revisions.ts'
import * as availsRequests from './0007_avails_requests.ts'
import * as publishStaging from './0008_publish_staging.ts'
import * as uploadLapse from './0009_upload_lapse.ts'
import * as ratesStaging from './0010_rates_staging.ts'
import * as quotes from './0011_quotes.ts'
import * as mintedProducts from './0013_minted_products.ts'
import * as approvalRules from './0016_approval_rules.ts'
import * as feedEras from './0017_feed_eras.ts'
import * as queueDeliveries from './0018_queue_deliveries.ts'
import * as secrets from './0019_secrets.ts'
import * as webhooks from './0020_webhooks.ts'
import * as holds from './0021_holds.ts'
import * as pullGate from './0022_pull_gate.ts'
import * as hotReads from './0024_hot_reads.ts'
import * as askedFor from './0035_asked_for.ts'
import * as documentReadings from './0038_document_readings.ts'
import * as holdKeys from './0039_hold_keys.ts'
import * as droppedReason from './0041_dropped_reason.ts'
import * as previousSecrets from './0042_previous_secrets.ts'
import * as twoSecretsKeys from './0043_two_secrets_keys.ts'
import * as sellerOffers from './0044_seller_offers.ts'
import * as unpublishedCommits from './0045_unpublished_commits.ts'
import * as endedQuotes from './0048_ended_quotes.ts'
import * as revisionFamilies from './0049_revision_families.ts'
import * as eventHashes from './0052_event_hashes.ts'
import * as securityEvents from './0053_security_events.ts'
import * as eventAuthority from './0054_event_authority.ts'
import * as approvalRuleDays from './0055_approval_rule_days.ts'
import * as tenantRoles from './0060_tenant_roles.ts'
import * as rowSecurity from './0061_row_security.ts'
import * as agreementIds from './0064_agreement_ids.ts'
import * as cheaperPolicies from './0065_cheaper_policies.ts'
import * as firstOrders from './0070_first_orders.ts'
import * as placedAt from './0071_placed_at.ts'
import * as exposure from './0072_exposure.ts'
import * as raisedStates from './0080_raised_states.ts'
import * as creatingOrders from './0085_creating_orders.ts'
import * as pricedTiers from './0086_priced_tiers.ts'
import * as drops from './0090_drops.ts'
import * as landedFiles from './0091_landed_files.ts'
import * as deliveryPosts from './0092_delivery_posts.ts'
import * as unpublishedCards from './0093_unpublished_cards.ts'
import * as sftpKeys from './0094_sftp_keys.ts'
import * as waitingManifests from './0095_waiting_manifests.ts'
import * as dropLandings from './0096_drop_landings.ts'
import * as dropIndexes from './0097_drop_indexes.ts'
import * as orderMail from './0100_order_mail.ts'
import * as bounces from './0103_bounces.ts'
import * as ediResends from './0104_edi_resends.ts'
import * as mailDocuments from './0105_mail_documents.ts'
import * as invoices from './0110_invoices.ts'
import * as drawn from './0111_drawn.ts'
import * as drawnSoFar from './0112_drawn_so_far.ts'
import * as drawnIndex from './0113_drawn_index.ts'
import * as bookedSpots from './0115_booked_spots.ts'
import * as sellerRows from './0116_seller_rows.ts'
import * as reconciliations from './0117_reconciliations.ts'
import * as bookedGuarantees from './0118_booked_guarantees.ts'
import * as disputed from './0119_disputed.ts'
import * as inForce from './0120_in_force.ts'
import * as agreementDue from './0121_agreement_due.ts'
import * as orderLists from './0130_order_lists.ts'
import * as sessions from './0131_sessions.ts'
import * as attachedUploads from './0132_attached_uploads.ts'
import * as productVersions from './0150_product_versions.ts'
import * as manifestHashes from './0151_manifest_hashes.ts'
import * as operators from './0160_operators.ts'
import * as subjects from './0164_subjects.ts'
import * as variancesOnce from './0168_variances_once.ts'
import * as agreementMarks from './0169_agreement_marks.ts'
import * as rowsSetAside from './0170_rows_set_aside.ts'
import * as readableSchema from './0176_readable_schema.ts'
import * as vacuum from './0177_vacuum.ts'
import * as tenantsOfIssuers from './0178_tenants_of_issuers.ts'
import * as endpointSenders from './0185_endpoint_senders.ts'
import * as outboxOfEndpoints from './0186_outbox_of_endpoints.ts'
import * as eventTraces from './0190_event_traces.ts'
import * as creditFigures from './0191_credit_figures.ts'
import * as spotsOfActions from './0195_spots_of_actions.ts'
import * as recountedDisputes from './0196_recounted_disputes.ts'
import * as eventTenants from './0205_event_tenants.ts'
import * as replacedPosts from './0226_replaced_posts.ts'
import * as rateCommitParts from './0227_rate_commit_parts.ts'
import * as mailFaults from './0236_mail_faults.ts'
import * as undecidedLogs from './0237_undecided_logs.ts'
import * as endsOfBookings from './0238_ends_of_bookings.ts'
import * as monthLines from './0239_month_lines.ts'
import * as clientTimes from './0256_client_times.ts'
import * as mailsOfOperators from './0261_mails_of_operators.ts'
import * as checkedDrops from './0266_checked_drops.ts'
import * as outboxCommands from './0270_outbox_commands.ts'
import * as endpointsUnindexed from './0275_endpoints_unindexed.ts'
import * as namespaceOfRuns from './0281_namespace_of_runs.ts'
import * as fileMappings from './0283_file_mappings.ts'
import * as notedRows from './0284_noted_rows.ts'
import * as documentLayouts from './0286_document_layouts.ts'
import * as sandbox from './0290_sandbox.ts'
import * as makegoods from './0300_makegoods.ts'
import * as requestKeys from './0320_request_keys.ts'
import * as refusedRequests from './0321_refused_requests.ts'

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
  '0080_raised_states': raisedStates,
  '0085_creating_orders': creatingOrders,
  '0086_priced_tiers': pricedTiers,
  '0090_drops': drops,
  '0091_landed_files': landedFiles,
  '0092_delivery_posts': deliveryPosts,
  '0093_unpublished_cards': unpublishedCards,
  '0094_sftp_keys': sftpKeys,
  '0095_waiting_manifests': waitingManifests,
  '0096_drop_landings': dropLandings,
  '0097_drop_indexes': dropIndexes,
  '0100_order_mail': orderMail,
  '0103_bounces': bounces,
  '0104_edi_resends': ediResends,
  '0105_mail_documents': mailDocuments,
  '0110_invoices': invoices,
  '0111_drawn': drawn,
  '0112_drawn_so_far': drawnSoFar,
  '0113_drawn_index': drawnIndex,
  '0115_booked_spots': bookedSpots,
  '0116_seller_rows': sellerRows,
  '0117_reconciliations': reconciliations,
  '0118_booked_guarantees': bookedGuarantees,
  '0119_disputed': disputed,
  '0120_in_force': inForce,
  '0121_agreement_due': agreementDue,
  '0130_order_lists': orderLists,
  '0131_sessions': sessions,
  '0132_attached_uploads': attachedUploads,
  '0150_product_versions': productVersions,
  '0151_manifest_hashes': manifestHashes,
  '0160_operators': operators,
  '0164_subjects': subjects,
  '0168_variances_once': variancesOnce,
  '0169_agreement_marks': agreementMarks,
  '0170_rows_set_aside': rowsSetAside,
  '0176_readable_schema': readableSchema,
  '0177_vacuum': vacuum,
  '0178_tenants_of_issuers': tenantsOfIssuers,
  '0185_endpoint_senders': endpointSenders,
  '0186_outbox_of_endpoints': outboxOfEndpoints,
  '0190_event_traces': eventTraces,
  '0191_credit_figures': creditFigures,
  '0195_spots_of_actions': spotsOfActions,
  '0196_recounted_disputes': recountedDisputes,
  '0205_event_tenants': eventTenants,
  '0226_replaced_posts': replacedPosts,
  '0227_rate_commit_parts': rateCommitParts,
  '0236_mail_faults': mailFaults,
  '0237_undecided_logs': undecidedLogs,
  '0238_ends_of_bookings': endsOfBookings,
  '0239_month_lines': monthLines,
  '0256_client_times': clientTimes,
  '0261_mails_of_operators': mailsOfOperators,
  '0266_checked_drops': checkedDrops,
  '0270_outbox_commands': outboxCommands,
  '0275_endpoints_unindexed': endpointsUnindexed,
  '0281_namespace_of_runs': namespaceOfRuns,
  '0283_file_mappings': fileMappings,
  '0284_noted_rows': notedRows,
  '0286_document_layouts': documentLayouts,
  '0290_sandbox': sandbox,
  '0300_makegoods': makegoods,
  '0320_request_keys': requestKeys,
  '0321_refused_requests': refusedRequests,
}
