import type { RequestHandler } from 'express'
import type { Database } from '../../src/store/connection/database.ts'
import { isSandbox } from '../endpoints/sandbox/mode.ts'
import type { Deps } from '../http/handler.ts'
import { databaseAnswers } from './readiness.ts'
import { escapedHtml } from './sentencePage.ts'

/** The addresses that are served outside the endpoint table. */
const LINKS = {
  console: '/console/',
  docs: '/docs',
  openapi: '/v1/openapi.json',
  changelog: '/v1/changelog.json',
  health: '/healthz',
  readiness: '/readyz',
} as const

/** What each kind of visitor comes for, with the pages to begin with. */
const DOORS = [
  {
    door: 'Buy',
    says: 'Find what sellers have, order it at published prices, and follow each order by events.',
    links: {
      '/docs/getAvails': 'Find prices',
      '/docs/createOrder': 'Place an order',
      '/docs/readFeed': 'Follow it',
      [LINKS.console]: 'In the console',
    },
  },
  {
    door: 'Sell',
    says: 'Publish catalogs, rate cards and avails by calls or files, and decide what airs.',
    links: {
      '/docs/publishCatalog': 'Publish',
      '/docs/decideOrder': 'Decide',
      '/docs/registerDrop': 'Send files',
      [LINKS.console]: 'In the console',
    },
  },
  {
    door: 'Operate',
    says: 'See whether it runs, what waits, and what has changed.',
    links: {
      [LINKS.health]: 'Alive',
      [LINKS.readiness]: 'Ready',
      '/docs/getOpsHealth': 'Health of the engines',
      [LINKS.changelog]: 'Changes',
    },
  },
] as const

/** Serves `/` to a person who opens the address in a browser, and to a program that looks for the API's addresses. */
export function frontPage(deps: Pick<Deps, 'mode'> & { readonly db: Pick<Database, 'pool'> }): RequestHandler {
  const answers = databaseAnswers(deps.db)
  return async (req, res) => {
    res.vary('Accept')
    if (req.accepts(['html', 'json']) === 'json') return void res.type('application/json').send(JSON_TEXT)
    const status = (await answers()) ? 'It runs.' : 'It runs, and its database is away: try again in a moment.'
    const origin = `${req.protocol}://${req.get('host') ?? 'localhost'}`
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Content-Security-Policy', POLICY)
    res.type('html').send(page(`${status}${isSandbox(deps) ? ' This is a sandbox: nothing here is real.' : ''}`, origin))
  }
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const JSON_TEXT = JSON.stringify({ name: 'Order Marketplace Service', links: LINKS })

function page(status: string, origin: string): string {
  const doors = DOORS.map(({ door, says, links }) => {
    const items = Object.entries(links).map(([href, text]) => `<li><a href="${href}">${text}</a></li>`)
    return `<section><h2>${door}</h2><p>${says}</p><ul>${items.join('')}</ul></section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Order Marketplace Service</title>
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body class="front">
<main>
<h1>Order Marketplace Service</h1>
<p>Buyers order advertising inventory from sellers, at prices that the sellers published; nothing airs without the seller's approval, and every order is a log that both can read.</p>
<p role="status">${status}</p>
<div class="doors">${doors.join('\n')}</div>
<section><h2>Quick start</h2>
<p>A token from whoever runs this marketplace (<code>.data/credentials.json</code> of a sandbox), and then:</p>
<pre><code>export BASE=${escapedHtml(origin)}/v1 TOKEN=…
curl -H "Authorization: Bearer $TOKEN" $BASE/credential
curl -H "Authorization: Bearer $TOKEN" $BASE/sellers
curl -H "Authorization: Bearer $TOKEN" "$BASE/events/feed?after=now"</code></pre>
<p>Every operation with samples in curl, TypeScript and Python: <a href="${LINKS.docs}">API reference</a>. The contract: <a href="${LINKS.openapi}">OpenAPI 3.1</a>.</p>
</section>
</main>
</body>
</html>
`
}
