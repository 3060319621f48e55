import { FRESH_PER_DAY } from '../../src/contract/vocabulary/bounds.ts'
import { SLOWEST_S } from '../../src/contract/vocabulary/sandbox.ts'
import { CREDIT_LIMIT, grantsTo } from '../../src/local/sandbox/agreements.ts'
import { BUYER_HABITS, HABITS, type Habit, PLAN_HABITS } from '../../src/local/sandbox/habits.ts'
import { PRICE, SPOT_LENGTH } from '../../src/local/sandbox/inventory.ts'

/** Returns the text of docs/buy/sandbox.md, made from the table of habits. */
export function makeBuyersSandboxPage(): string {
  return `# The sandbox plays the seller

A sandbox has sellers that act by themselves, so that a buyer's token alone is enough to see every outcome of the contract. Every reply of a sandbox carries \`X-Sandbox: true\`; in production nothing on this page exists.
This page is made from the code: \`npm run docs\` writes it.

## What you order is what you get

\`GET /sellers/sandbox-tv/catalog\` has a product for each outcome, whose name says what will happen. Each costs ${PRICE} USD a unit in spots of ${SPOT_LENGTH} seconds, scatter, for general advertisers; take \`locked_rate_id\` from the avails as anywhere else. Lines of one order mix freely: each gets its own answer. An order with a line that is never decided waits for good, and one with several deciding times takes the longest.

| Product | Called | What happens |
|---|---|---|
${rowsOf('sandbox-tv')}

**Proposals.** \`request.anchor_package_ids\` names the plan that you get:

| Anchor | What happens |
|---|---|
${PLAN_HABITS.map(({ anchor, outcome }) => `| \`${anchor}\` | ${outcome} |`).join('\n')}

**Documents.** Upload [sandbox-buysheet.csv](../examples/sandbox-buysheet.csv), or any buysheet with these products, and order it from \`sandbox-tv\`.

**An API of its own.** The seller \`sandbox-pull\` decides by an API that the platform calls:

| Product | Called | What happens |
|---|---|---|
${rowsOf('sandbox-pull')}

**Refused.** The seller \`seller-suspends-you\` suspends every buyer: an order of its product \`suspended\` is 403 FORBIDDEN.

## Agreements

Your first read grants one agreement of each kind; \`GET /agreements\` lists them.

| Agreement | With | What it has |
|---|---|---|
${grantsTo('{you}', 2027)
  .map(({ agreement_id, seller, agreement }) => `| \`${agreement_id}\` | \`${seller}\` | ${termsOf(agreement)} |`)
  .join('\n')}

A cleared order beyond ${CREDIT_LIMIT} USD is 422 CREDIT_LIMIT. A line by day of \`sandbox-pull\` is 422 GRAIN_NOT_OFFERED with \`details.permitted_grains\`.

${COMMON}`
}

/** Returns the text of docs/sell/sandbox.md. */
export function makeSellersSandboxPage(): string {
  return `# The sandbox plays the buyer

A sandbox has a buyer that orders on demand, so that a seller's token alone is enough to try an approval, a webhook, an API of one's own, drops and mails. Every reply of a sandbox carries \`X-Sandbox: true\`; in production nothing on this page exists.
This page is made from the code: \`npm run docs\` writes it.

## An order on demand

\`POST /v1/sandbox/orders\` with \`{"template": "catalog", "products": ["…"], "then": "accepts"}\` (scope \`orders:approve\`): the buyer \`sandbox-buyer\` orders from you at your published prices, through \`POST /orders\` as any buyer does, and the reply has the order's id. Publish a catalog, a rate card and avails first. At most 60 a minute.

It orders in the run \`sandbox_request:{external_order_id}\`, which goes on whatever becomes of the call. The reply comes once it has ordered (\`submitted\`), or after ten seconds without an \`order_id\` (\`requested\`): \`GET /v1/sandbox/orders/{external_order_id}\` then says what became of it, also \`refused\` with the \`error\` that it met.

| Member | |
|---|---|
| \`template\` | \`catalog\`, \`proposal\` (needs \`modes.proposal\`) or \`document\` (a buysheet of the lines; needs \`modes.document\`) |
| \`products\` | a line each, in the first week with a price; without it the first product that has one |
| \`lines\` | \`{product_id, period, units?}\` each, instead of \`products\` |
| \`then\` | what the buyer does next |

| then | What the buyer does |
|---|---|
${Object.entries(BUYER_HABITS)
  .map(([then, does]) => `| \`${then}\` | ${does} |`)
  .join('\n')}

${COMMON}`
}

function rowsOf(seller: Habit['seller']): string {
  return HABITS.filter((habit) => habit.seller === seller)
    .map(({ product_id, title, outcome }) => `| \`${product_id}\` | ${title} | ${outcome} |`)
    .join('\n')
}

function termsOf({
  settlement_mode = 'direct',
  credit_limit,
  cancellation_terms,
  permitted_grains,
}: Partial<ReturnType<typeof grantsTo>[number]['agreement']>) {
  const terms = [
    settlement_mode,
    ...(credit_limit === undefined ? [] : [`credit_limit ${credit_limit}`]),
    ...(cancellation_terms === undefined ? [] : [`notice of ${cancellation_terms.notice_days} days`]),
    ...(permitted_grains === undefined ? [] : [`permitted_grains ${permitted_grains.join(', ')}`]),
  ]
  return terms.join(', ')
}

const COMMON = `## A tenant for each run of a test suite

\`POST /v1/sandbox/tenants\` with \`{"side": "buyer"}\` returns \`{tenant, token, expires_at}\`: a tenant that nobody knows, with every scope of its side. It ends after a week. A credential makes ${FRESH_PER_DAY} in 24 hours.

## Time

\`POST /v1/sandbox/orders/{order_id}/elapse\` with \`{"what": "quote"}\` lets a deadline of one order pass; the reply comes when what follows is written.

| what | While the order is | What follows |
|---|---|---|
| \`quote\` | \`negotiating\` | an event with substatus \`quote_lapsed\`; an accept is 409 STALE_RATE_CARD |
| \`plan\` | \`needs_confirmation\` with a plan | a confirm is 409 STALE_RATE_CARD |
| \`decision\` | \`seller_review\` | \`waiting_on.overdue\` |
| \`notice_window\` | \`placed\` under cancellation terms | a cancel is \`late\`, with its fee |

\`POST /v1/sandbox/holds/{hold_id}/elapse\` ends the time of one of a buyer's holds, which then reads \`expired\`.

Without \`by\` the time goes just past the deadline, with it by so many seconds. It holds for the deadlines of the order's present step alone, and never goes back. Stamps stay those of the calls. \`as_of\` of a command goes before it.
\`POST /v1/sandbox/settlement\` issues a seller's invoices ahead of time. What never moves: signatures, tokens, rate limits, dates of mails.

## Faults on demand

The header \`Sandbox-Simulate\` on any call:

| Value | What happens |
|---|---|
| \`503\`, \`429\` | that answer, with \`Retry-After\`; nothing is done |
| \`slow=5s\` | the call is served after so long, ${SLOWEST_S} s at most |
| \`cut\` | the call is carried out and the connection closed without a reply: send the same bytes again and compare |

\`POST /v1/webhooks/endpoints/{endpoint_id}/test\` takes \`{"event_type": "…"}\` and posts a whole example of it.
`
