import type { Migration } from 'kysely'
import * as roles from './0001_roles.ts'
import * as tenants from './0002_tenants.ts'
import * as catalog from './0003_catalog.ts'
import * as prices from './0004_prices.ts'
import * as orders from './0005_orders.ts'
import * as uploadsAndHolds from './0006_uploads_and_holds.ts'
import * as delivery from './0007_delivery.ts'
import * as drops from './0008_drops.ts'
import * as edi from './0009_edi.ts'
import * as invoices from './0010_invoices.ts'
import * as airedAndBilled from './0011_aired_and_billed.ts'
import * as reconciliation from './0012_reconciliation.ts'
import * as operators from './0013_operators.ts'
import * as requests from './0014_requests.ts'
import * as sandbox from './0015_sandbox.ts'
import * as makegoods from './0016_makegoods.ts'
import * as sandboxRequests from './0017_sandbox_requests.ts'
import * as makegoodFiles from './0018_makegood_files.ts'
import * as makegoodMails from './0019_makegood_mails.ts'

/**
 * Every migration by name, as a static object: nothing is read from the disk, so bundles and images cannot lose one. A new one has the next number; one
 * that a release has is never changed.
 */
export const migrations: Record<string, Migration> = {
  '0001_roles': roles,
  '0002_tenants': tenants,
  '0003_catalog': catalog,
  '0004_prices': prices,
  '0005_orders': orders,
  '0006_uploads_and_holds': uploadsAndHolds,
  '0007_delivery': delivery,
  '0008_drops': drops,
  '0009_edi': edi,
  '0010_invoices': invoices,
  '0011_aired_and_billed': airedAndBilled,
  '0012_reconciliation': reconciliation,
  '0013_operators': operators,
  '0014_requests': requests,
  '0015_sandbox': sandbox,
  '0016_makegoods': makegoods,
  '0017_sandbox_requests': sandboxRequests,
  '0018_makegood_files': makegoodFiles,
  '0019_makegood_mails': makegoodMails,
}
