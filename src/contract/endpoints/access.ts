import { CredentialRead } from '../credential.ts'
import { RefusedRequestList, RefusedRequestQuery } from '../refusedRequest.ts'
import { endpoint, named } from './endpoint.ts'

/** What a program asks about itself: its credential, and what was refused to it. */
export const ACCESS = named({
  getCredential: endpoint({
    method: 'get',
    path: '/credential',
    side: 'everybody',
    scope: null,
    summary: 'Get your credential',
    description:
      'Returns the tenant, the side and the scopes of the calling credential, and the time of the service. It shows no token and needs no ' +
      'scope, so that a program can say what it lacks.',
    replies: { 200: CredentialRead },
  }),
  listRefusedRequests: endpoint({
    method: 'get',
    path: '/requests',
    side: 'any',
    scope: 'audit:read',
    summary: 'List refused requests',
    description:
      "Returns the tenant's requests of the last seven days that were refused or failed, newest first, with their codes and pointers. Bodies, " +
      'queries and tokens are never kept. Of a flood only some are noted, so the list is for finding mistakes and not for counting.',
    query: RefusedRequestQuery,
    replies: { 200: RefusedRequestList },
  }),
})
