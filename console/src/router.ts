import { createRoute, createRouter, parseSearchWith, redirect, stringifySearchWith } from '@tanstack/react-router'
import { profile, relations, webhook, webhooks } from './routes/account.ts'
import { basket, baskets, creatives, find } from './routes/buying.ts'
import { ops, opsOrder } from './routes/operations.ts'
import { makegoods, order, orderDocument, orders, plan, print, queue } from './routes/orders.ts'
import { root } from './routes/root.ts'
import { avails, card, cards, files, publish, publishHome, rules } from './routes/selling.ts'
import { invoice, reconciliation, settlement } from './routes/settlement.ts'
import { Broken, Home } from './ui/Home.tsx'

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })

/** The sign-in is shown over any page; this address exists for bookmarks and links from the front page. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    throw redirect({ to: '/' })
  },
})

/**
 * Parses a search parameter that is written as JSON: lists, and quoted texts that would otherwise be read as another type. Other text stays
 * text, since JSON would read `1e5` as a number. The router has already parsed plain numbers, which `text` converts back.
 */
function readValue(text: string): unknown {
  if (!/^(?:\[|"|(?:true|false)$)/.test(text)) throw new Error('It is not written as JSON.')
  return JSON.parse(text)
}

/** Every screen of the console. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    queue,
    orders,
    order,
    plan,
    orderDocument,
    makegoods,
    print,
    find,
    baskets,
    basket,
    creatives,
    publishHome,
    publish,
    cards,
    card,
    avails,
    files,
    rules,
    relations,
    profile,
    webhooks,
    webhook,
    settlement,
    invoice,
    reconciliation,
    ops,
    opsOrder,
  ]),
  basepath: '/console',
  parseSearch: parseSearchWith(readValue),
  stringifySearch: stringifySearchWith(JSON.stringify, readValue),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
