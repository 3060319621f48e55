import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import type { Authority } from '../../../src/store/delivery/eventAuthority.ts'

/** The authority of a credential that may read everything and never lapses. */
export const FULL_AUTHORITY: Authority = { credential_id: 'cred_full', authorized_until: null, readable: [...EVENT_TYPES] }
