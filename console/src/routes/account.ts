import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { DeliveryStatus } from '../api/queries/webhooks.ts'
import { oneOf, text } from '../ui/search.ts'
import { root } from './root.ts'

/** A tenant's dealings with others: its agreements, its profile and its webhooks. */

export interface RelationsSearch {
  show?: 'buyers'
  active?: string
}

export const relations = createRoute({
  getParentRoute: () => root,
  path: '/relations',
  validateSearch: ({ show, active }: Record<string, unknown>): RelationsSearch => ({
    ...oneOf('show', show, ['buyers']),
    ...text('active', active),
  }),
  component: lazyRouteComponent(() => import('../screens/relations/Relations.tsx'), 'Relations'),
})

export interface ProfileSearch {
  show?: 'audit'
  active?: string
}

export const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  validateSearch: ({ show, active }: Record<string, unknown>): ProfileSearch => ({
    ...oneOf('show', show, ['audit']),
    ...text('active', active),
  }),
  component: lazyRouteComponent(() => import('../screens/profile/Profile.tsx'), 'Profile'),
})

export interface EndpointsSearch {
  active?: string
}

export const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: ({ active }: Record<string, unknown>): EndpointsSearch => text('active', active),
  component: lazyRouteComponent(() => import('../screens/webhooks/Webhooks.tsx'), 'Webhooks'),
})

export interface WebhookSearch {
  status?: DeliveryStatus
  delivery?: string
}

export const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: ({ status, delivery }: Record<string, unknown>) =>
    ({ ...text('status', status), ...text('delivery', delivery) }) as WebhookSearch,
  component: lazyRouteComponent(() => import('../screens/webhooks/Webhook.tsx'), 'Webhook'),
})
