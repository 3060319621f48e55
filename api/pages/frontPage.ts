import type { RequestHandler } from 'express'

/** The addresses that are served outside the endpoint table. */
const LINKS = {
  console: { href: '/console/', says: 'The console, for buyers and sellers' },
  docs: { href: '/docs', says: 'The API reference' },
  openapi: { href: '/v1/openapi.json', says: 'The contract, OpenAPI 3.1' },
  changelog: { href: '/v1/changelog.json', says: 'What has changed in it' },
  health: { href: '/healthz', says: 'Whether the API is alive' },
  readiness: { href: '/readyz', says: 'Whether it can serve' },
} as const

/** Serves `/` to a person who opens the address in a browser, and to a program that looks for the API's addresses. */
export const frontPage: RequestHandler = (req, res) => {
  res.vary('Accept')
  if (req.accepts(['html', 'json']) === 'json') return void res.type('application/json').send(JSON_TEXT)
  res.type('html').send(HTML)
}

const JSON_TEXT = JSON.stringify({
  name: 'Order Marketplace Service',
  links: Object.fromEntries(Object.entries(LINKS).map(([name, { href }]) => [name, href])),
})

const HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Order Marketplace Service</title></head>
<body>
<h1>Order Marketplace Service</h1>
<p>An HTTP API below <code>/v1</code>; every request there carries <code>Authorization: Bearer &lt;token&gt;</code>.</p>
<ul>
${Object.values(LINKS)
  .map(({ href, says }) => `<li><a href="${href}">${says}</a></li>`)
  .join('\n')}
</ul>
</body>
</html>
`
