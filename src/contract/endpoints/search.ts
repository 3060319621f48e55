import { SearchQuery, SearchReply } from '../search.ts'
import { endpoint, named } from './endpoint.ts'

/** The search of what a tenant has. */
export const SEARCH = named({
  search: endpoint({
    method: 'get',
    path: '/search',
    side: 'any',
    scope: 'orders:read',
    summary: 'Search what you have',
    description:
      'Returns the orders, products and trading partners of the tenant that have every word of q: titles, networks, dayparts, names, order ids, ' +
      'advertisers. Products and partners need the scope catalog:read, and are left out without it. It searches the newest orders, and the ' +
      'beginning of external_order_id of all of them.',
    query: SearchQuery,
    replies: { 200: SearchReply },
  }),
})
