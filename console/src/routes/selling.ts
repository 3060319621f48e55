import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { DropStatus } from '../api/queries/drops.ts'
import { oneOf, text } from '../ui/search.ts'
import { root } from './root.ts'

/** A seller's publishing, and the rules that decide orders for it. */

export const publishHome = createRoute({
  getParentRoute: () => root,
  path: '/publish',
  beforeLoad: () => {
    throw redirect({ to: '/publish/$kind', params: { kind: 'rates' } })
  },
})

export interface PublishSearch {
  /** The card whose rows start the draft. */
  from?: string
}

export const publish = createRoute({
  getParentRoute: () => root,
  path: '/publish/$kind',
  validateSearch: ({ from }: Record<string, unknown>): PublishSearch => text('from', from),
  component: lazyRouteComponent(() => import('../screens/publish/Publish.tsx'), 'Publish'),
})

export interface CardsSearch {
  kind?: 'quotes' | undefined
  active?: string
}

export const cards = createRoute({
  getParentRoute: () => root,
  path: '/cards',
  validateSearch: ({ kind, active }: Record<string, unknown>): CardsSearch => ({
    ...oneOf('kind', kind, ['quotes']),
    ...text('active', active),
  }),
  component: lazyRouteComponent(() => import('../screens/cards/Cards.tsx'), 'Cards'),
})

export interface CardSearch {
  /** The card to compare with, if not the previous one. */
  against?: string
  view?: 'prices' | undefined
}

export const card = createRoute({
  getParentRoute: () => root,
  path: '/cards/$commit',
  validateSearch: ({ against, view }: Record<string, unknown>): CardSearch => ({
    ...text('against', against),
    ...oneOf('view', view, ['prices']),
  }),
  component: lazyRouteComponent(() => import('../screens/cards/Card.tsx'), 'Card'),
})

export interface AvailsSearch {
  q?: string
  by?: 'sellout' | 'count'
  /** The first week shown. */
  from?: string
  product?: string
  /** The period being edited: a week, a day or a month. */
  start?: string
}

export const avails = createRoute({
  getParentRoute: () => root,
  path: '/avails',
  validateSearch: ({ q, by, from, product, start }: Record<string, unknown>): AvailsSearch => ({
    ...text('q', q),
    ...oneOf('by', by, ['count']),
    ...text('from', from),
    ...text('product', product),
    ...text('start', start),
  }),
  component: lazyRouteComponent(() => import('../screens/avails/Avails.tsx'), 'Avails'),
})

export interface FilesSearch {
  drop?: string
  status?: DropStatus | undefined
}

export const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  validateSearch: ({ drop, status }: Record<string, unknown>) => ({ ...text('drop', drop), ...text('status', status) }) as FilesSearch,
  component: lazyRouteComponent(() => import('../screens/files/Files.tsx'), 'Files'),
})

export const rules = createRoute({
  getParentRoute: () => root,
  path: '/rules',
  component: lazyRouteComponent(() => import('../screens/rules/Rules.tsx'), 'Rules'),
})
