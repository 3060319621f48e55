import type { GeneratedAlways } from 'kysely'

/** The tables of the log of refused requests. */
export interface RequestTables {
  refused_requests: {
    refused_no: GeneratedAlways<string>
    tenant: string
    at: string
    request_id: string
    operation: string
    method: string
    path: string
    status: number
    error_code: string
    pointers: string
    credential_id: string
  }
}
