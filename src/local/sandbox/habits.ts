import type { BuyerAnswer } from '../../contract/vocabulary/sandbox.ts'
import type { BuyType, Grain } from '../../contract/vocabulary.ts'

/** The tenants of a sandbox that act by themselves, through /v1 with credentials of their own. */
export const PARTIES = {
  'sandbox-tv': { side: 'seller', name: 'Sandbox TV: what you order is what you get' },
  'sandbox-pull': { side: 'seller', name: 'Sandbox Pull: decides by an API of its own' },
  'seller-suspends-you': { side: 'seller', name: 'A seller that suspends every buyer' },
  'sandbox-buyer': { side: 'buyer', name: 'Sandbox Buyer: orders from you on demand' },
} as const satisfies Readonly<Record<string, { side: 'seller' | 'buyer'; name: string }>>
export type Party = keyof typeof PARTIES

/** What the seller does with a line of this product. `leave`: nothing, so that nobody ever decides the order. */
export type Answer =
  | { readonly does: 'accept' | 'accept_half' | 'reject' | 'leave' }
  /** The counter is in the week after, at so many percent over; `again`: a second counter replaces it; `expires_s`: seconds that its quote lasts. */
  | { readonly does: 'counter'; readonly over_pct: number; readonly again?: true; readonly expires_s?: number }

/** A product of a party, which stands for an outcome of the contract. */
export interface Habit {
  readonly seller: 'sandbox-tv' | 'sandbox-pull' | 'seller-suspends-you'
  readonly product_id: string
  /** The name of the product, which says what will happen. */
  readonly title: string
  /** What happens, for the documentation. */
  readonly outcome: string
  readonly answer: Answer
  /** Seconds from the beginning of the seller's review to the decision; 1 by default. */
  readonly after_s?: number
  /** What its own API says when it is asked for live availability. */
  readonly live?: 'sold_out' | 'repriced'
  /** How its own API answers when it is asked to decide. */
  readonly pull?: 'decides' | 'later' | '500' | 'hangs' | 'garbage'
  /** What is sent about its airings and bills once it is placed. */
  readonly bills?: 'wrong'
  /** Once it is placed, a unit of it does not air, and another is offered for it. */
  readonly preempted?: true
  readonly buy_type?: BuyType
  readonly grains?: readonly Grain[]
  readonly avails_policy?: 'on_request'
  readonly by_agreement?: true
  readonly mirror?: string
}

const tv = (product_id: string, title: string, outcome: string, more: Partial<Habit> = {}): Habit => {
  return { seller: 'sandbox-tv', product_id, title, outcome, answer: { does: 'accept' }, ...more }
}
const pull = (product_id: string, title: string, outcome: string, how: NonNullable<Habit['pull']>): Habit => {
  return { seller: 'sandbox-pull', product_id, title, outcome, answer: { does: 'accept' }, pull: how }
}

/** What you order is what you get: each product, what it is called, and what happens to an order with it. */
export const HABITS: readonly Habit[] = [
  tv('sbx-approved', 'Approved in a second', '`placed` a second after `seller_review`: every unit is accepted.'),
  tv('sbx-approved-part', 'Half of the units approved', '`placed` with half of the units, rounded up: `num_accepted` is below `units`.', {
    answer: { does: 'accept_half' },
  }),
  tv('sbx-rejected', 'Rejected with a reason', 'The line is `rejected` with a reason, and the order too if it has no other line.', {
    answer: { does: 'reject' },
  }),
  tv('sbx-countered', 'Countered: a week later at 5 % over', '`negotiating`: respond with `accept` or `withdraw`. The quote lasts a day.', {
    answer: { does: 'counter', over_pct: 5 },
  }),
  tv('sbx-countered-twice', 'Countered twice', '`negotiating`, and a second later again at 2 % over: the first quote has ended.', {
    answer: { does: 'counter', over_pct: 5, again: true },
  }),
  tv(
    'sbx-countered-lapsing',
    'Countered with a quote of 60 seconds',
    '`negotiating`, then substatus `quote_lapsed`: an accept is 409 STALE_RATE_CARD.',
    {
      answer: { does: 'counter', over_pct: 5, expires_s: 60 },
    },
  ),
  tv(
    'sbx-silent',
    'Never decided',
    'The order stays in `seller_review`; `waiting_on.overdue` after a day, or at once by elapsing `decision`.',
    {
      answer: { does: 'leave' },
    },
  ),
  tv(
    'sbx-repriced',
    'Repriced after you read the price',
    '`failed` with STALE_RATE_CARD and `rate_drift`: the price moves while the order is validated.',
    {
      live: 'repriced',
    },
  ),
  tv('sbx-sold-out', 'Sold out after you read the avails', '`failed` with INVENTORY_UNAVAILABLE: its live availability is none.', {
    live: 'sold_out',
  }),
  tv(
    'sbx-decides-late',
    'Rejected while you cancel',
    'Rejected after three seconds. Cancel meanwhile: one of you is answered 409 INVALID_STATE.',
    {
      answer: { does: 'reject' },
      after_s: 3,
    },
  ),
  tv(
    'sbx-on-request',
    'Avails on request',
    'Its avails are not published: ask for them; `catalog.avails_answered` follows within seconds.',
    {
      avails_policy: 'on_request',
    },
  ),
  tv('sbx-by-agreement', 'Sold under an agreement', 'It is in the catalog of buyers with an agreement, such as `sbx-direct-{you}`.', {
    by_agreement: true,
  }),
  tv(
    'sbx-guaranteed',
    'Audience guaranteed',
    'It sells units of `audience_guaranteed`, with `guaranteed_impressions` and `totals.impressions`.',
    {
      buy_type: 'audience_guaranteed',
    },
  ),
  tv('sbx-daylocked', 'Sold by the day', 'A line has grain `day` and one date; a week is 422 GRAIN_NOT_OFFERED.', { grains: ['day'] }),
  tv('sbx-mirror', 'Aired twice with include_mirror', 'With `include_mirror` the line also books `sbx-mirror-west`.', {
    mirror: 'sbx-mirror-west',
  }),
  tv('sbx-mirror-west', 'The mirror of sbx-mirror', 'An ordinary product, which `sbx-mirror` mirrors.'),
  tv('sbx-month', 'Sold by the month', 'A line may have grain `month`, which books every week that it touches.', {
    grains: ['week', 'month'],
  }),
  tv(
    'sbx-billed-wrong',
    'Billed wrong',
    'Order 12 units in one week of a month that is over, under `sbx-cleared-{you}` and with a creative: you are invoiced, and a log and an invoice come with each variance.',
    {
      bills: 'wrong',
    },
  ),
  tv(
    'sbx-preempted',
    'Preempted, with a makegood offered',
    'Order two units or more. Once it is `placed`, a notice says that a unit of its first date does not air (`noticed`), and a second later another one is offered on its next date (`offered`): answer with `accept`, `decline` or `credit`.',
    {
      preempted: true,
    },
  ),
  pull('pull-decides', 'Decides at once', '`placed` by the gate `pull`.', 'decides'),
  pull('pull-later', 'Decides at the second question', '202, then `placed` when it is asked again, some 30 s later.', 'later'),
  pull('pull-500', 'Answers 500', 'Stays in `seller_review`, asked again and again.', '500'),
  pull('pull-hangs', 'Does not answer', 'Stays in `seller_review`: each question times out after 10 s.', 'hangs'),
  pull(
    'pull-garbage',
    'Answers what is no decision',
    'Stays in `seller_review`: the answer cannot be used, and the platform asks again.',
    'garbage',
  ),
  {
    ...tv('suspended', 'Cannot be ordered', '`POST /orders` is 403 FORBIDDEN: the seller has suspended you.'),
    seller: 'seller-suspends-you',
  },
]

/** A plan by which a proposal is answered that names it in `request.anchor_package_ids`. */
export interface PlanHabit {
  readonly anchor: string
  readonly outcome: string
  /** Percent of the budget that its lines cost; 100 by default. */
  readonly of_budget_pct?: number
  readonly unmet?: readonly string[]
  readonly minted?: true
  /** It is exactly on the edge of the acceptance band. */
  readonly on_edge?: true
  /** Seconds from the request to the plan; 1 by default. */
  readonly after_s?: number
}

export const PLAN_HABITS: readonly PlanHabit[] = [
  { anchor: 'sbx-plan', outcome: 'A plan at published prices within the budget, a second later. The answer without an anchor too.' },
  {
    anchor: 'sbx-plan-short',
    outcome: 'A plan of half the budget, with `unmet`.',
    of_budget_pct: 50,
    unmet: ['Half of the budget found no inventory.'],
  },
  { anchor: 'sbx-plan-minted', outcome: 'A plan with a product that is minted for you, at a quote.', minted: true },
  { anchor: 'sbx-plan-edge', outcome: 'A plan exactly on the edge of your acceptance band, which satisfies it.', on_edge: true },
  { anchor: 'sbx-plan-late', outcome: 'A plan after 20 seconds.', after_s: 20 },
]

/** What the sandbox's buyer does with an order that `POST /sandbox/orders` asked it for. */
export const BUYER_HABITS: Readonly<Record<BuyerAnswer, string>> = {
  accepts: 'Accepts every counter, and confirms every plan and document.',
  withdraws: 'Withdraws from every counter, and rejects every plan and document.',
  silent: 'Answers nothing.',
  cancels: 'Cancels once you have decided, or a second after the order waits for you.',
  revises: 'Sends a revision of the order once it waits for you, and accepts every counter.',
}

const byProduct = new Map(HABITS.map((habit) => [`${habit.seller} ${habit.product_id}`, habit]))

/** Returns the habit of a seller's product; undefined for a product that has none, which is approved. */
export function habitOf(seller: string, product_id: string): Habit | undefined {
  return byProduct.get(`${seller} ${product_id}`)
}
