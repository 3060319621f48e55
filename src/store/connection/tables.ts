import type { CatalogTables } from '../catalog/catalogTables.ts'
import type { DeliveryTables } from '../delivery/deliveryTables.ts'
import type { EdiTables } from '../edi/ediTables.ts'
import type { FileTables } from '../files/fileTables.ts'
import type { OrderTables } from '../orders/orderTables.ts'
import type { RequestTables } from '../requests/requestTables.ts'
import type { SettlementTables } from '../settlement/settlementTables.ts'
import type { TenantTables } from '../tenants/tenantTables.ts'

/** The schema as kysely sees it; `migrations/` is its source. timestamptz reads as ISO text, numeric and date as text. */
export interface Tables
  extends TenantTables,
    CatalogTables,
    OrderTables,
    DeliveryTables,
    FileTables,
    EdiTables,
    RequestTables,
    SettlementTables {}
