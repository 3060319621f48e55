import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readSnapshot } from '../../src/store/orders/orderReads.ts'
import type { Snapshot } from '../support/market.ts'
import { takesDocuments } from '../support/orders/documentOrders.ts'
import { agrees, create, give, type Handle, type Post, straight } from '../support/orders/orderDriver.ts'
import { type Entry, grossOf, linesOf, type ModelCommand, type ModelOrder, newOrder, step } from '../support/orders/orderModel.ts'
import { useMarket } from '../support/useMarket.ts'

/**
 * Whole lives of orders: the service does what the reference model says, command by command, and its order ends as the model's.
 * MODEL_RUNS=5000 for more of them.
 */
const RUNS = Number(process.env.MODEL_RUNS ?? 500)
/** Each lane draws other lives. */
const { seed: SEED = 0 } = fc.readConfigureGlobal()
/** So many lives at once: each is a sequence, and they share one database. */
const LANES = 4

const market = useMarket()
let post: Post
beforeAll(async () => {
  post = straight(market)
  await takesDocuments(market)
})

interface Model {
  order: ModelOrder
  given: ModelCommand[]
}

/** A command for the order's state when its turn comes; undefined when there is none to give. */
type Choice = (model: Readonly<Model>) => ModelCommand | undefined

class Given implements fc.AsyncCommand<Model, Handle> {
  readonly #choose: Choice
  #told: ModelCommand | undefined

  constructor(choose: Choice) {
    this.#choose = choose
  }

  check(model: Readonly<Model>): boolean {
    return this.#choose(model) !== undefined
  }

  async run(model: Model, handle: Handle): Promise<void> {
    const command = this.#choose(model) as ModelCommand
    this.#told = command
    const { order, said } = step(model.order, command)
    const answer = await give(market, post, handle, command)
    if (!agrees(answer, said)) {
      throw new Error(
        `at ${model.order.status}, ${JSON.stringify(command)} is answered ${JSON.stringify(answer)}, not ${JSON.stringify(said)}`,
      )
    }
    model.order = order
    model.given.push(command)
  }

  toString(): string {
    return JSON.stringify(this.#told)
  }
}

const actor = fc.constantFrom('Ada', 'Bob')
const entry = fc.oneof(fc.constantFrom<Entry>(null, 'accept', 'reject', { counter: 110_000 }), fc.integer({ min: 0, max: 12 }))
const entries = fc.oneof({ weight: 1, arbitrary: fc.constant<Entry[]>([]) }, { weight: 2, arbitrary: fc.array(entry, { maxLength: 3 }) })
const decision = fc.constantFrom('approve' as const, 'reject' as const, 'counter' as const)
/** At least one counter, whatever else is said. */
const countered = fc.tuple(fc.nat(2), entries).map(([counter, rest]) => {
  return [0, 1, 2].map((place): Entry => (place === counter ? { counter: 99_900 } : (rest[place] ?? null)))
})
const action = fc.constantFrom('accept' as const, 'withdraw' as const, 'counter' as const)
const name = fc.constantFrom('P1', 'P2', 'P3')
const confirmed = fc.constantFrom('confirm' as const, 'confirm' as const, 'confirm' as const, 'reject' as const)
const units = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 })
const every: Record<string, fc.Arbitrary<ModelCommand>> = {
  validate: fc.constant({ do: 'validate' }),
  decide: fc.record({ do: fc.constant('decide' as const), decision, actor, entries }),
  counter: fc.record({ do: fc.constant('decide' as const), decision: fc.constant('counter' as const), actor, entries: countered }),
  rule: fc.record({ do: fc.constant('rule' as const), verdict: fc.constantFrom('approve' as const, 'reject' as const, 'hold' as const) }),
  respond: fc.record({ do: fc.constant('respond' as const), action, late: fc.boolean() }),
  lapse: fc.constant({ do: 'lapse' }),
  plan: fc.record({ do: fc.constant('plan' as const), name, units, expensive: fc.boolean() }),
  confirm: fc.record({
    do: fc.constant('confirm' as const),
    action: confirmed,
    plan: fc.constantFrom<string | null>(null, 'P1', 'P2', 'P3'),
    reason: fc.boolean(),
  }),
  parse: fc.record({ do: fc.constant('parse' as const), units: fc.oneof({ weight: 4, arbitrary: units }, fc.constant<number[]>([])) }),
  cancel: fc.constant({ do: 'cancel' }),
}
/** How often each is thought of in the ordinary course of a life. */
const USUAL: Record<string, number> = { validate: 12, decide: 6, counter: 8, respond: 6, plan: 6, parse: 8, confirm: 6 }
const usual = fc.oneof(...Object.entries(every).map(([word, arbitrary]) => ({ arbitrary, weight: USUAL[word] ?? 1 })))

/** The first of several that the model would take. */
const polite = fc.array(usual, { minLength: 4, maxLength: 4 }).map((several): Choice => {
  return ({ order }) => several.map((each) => fitted(each, order)).find((each) => step(order, each).events.length > 0)
})
/** Whatever the order is at, and whether or not it makes sense. */
const rude = fc.tuple(fc.oneof(...Object.values(every)), fc.boolean()).map(([each, fits]): Choice => {
  return ({ order }) => (fits ? fitted(each, order) : each)
})
/** The very same again, from anywhere in the life so far. */
const again = fc.nat(7).map((back): Choice => {
  return ({ given }) => given.at(-1 - back)
})
const commands = fc.commands(
  [polite, polite, rude, again].map((choice) => choice.map((each) => new Given(each))),
  { maxCommands: 12, size: 'max' },
)

/** A decision that names no more asks than there are, and accepts no more units than were asked for. */
function fitted(given: ModelCommand, { lines }: ModelOrder): ModelCommand {
  if (given.do !== 'decide') return given
  const asks = lines.filter(({ answers }) => answers === undefined)
  const entries = given.entries.slice(0, asks.length).map((each, place) => {
    return typeof each === 'number' ? 1 + (each % (asks[place]?.units ?? 1)) : each
  })
  return { ...given, entries }
}

const kind = fc.constantFrom<ModelOrder['kind']>(
  'sellable',
  'sellable',
  'sellable',
  'proposal',
  'proposal',
  'document',
  'document',
  'unsellable',
)
const birth = fc.tuple(kind, units, fc.boolean()).map((drawn) => newOrder(...drawn))

/** Every status that there is. */
const ENDS = [
  'canceled',
  'confirmed',
  'failed',
  'needs_confirmation',
  'negotiating',
  'placed',
  'rejected',
  'seller_review',
  'submitted',
  'validating',
]

describe(`${RUNS} lives`, () => {
  it(
    'go as the reference model says, and end where it ends',
    async () => {
      const ends = new Map<string, number>()
      const lane = (number: number) =>
        fc.assert(
          fc.asyncProperty(birth, commands, async (order, given) => {
            const handle = await create(market, post, order)
            const model: Model = { order, given: [] }
            await fc.asyncModelRun(() => ({ model, real: handle }), given)
            expect(await seen(handle)).toEqual(shown(model.order))
            ends.set(model.order.status, (ends.get(model.order.status) ?? 0) + 1)
          }),
          { numRuns: RUNS / LANES, seed: SEED + number },
        )
      await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
      if (process.env.MODEL_RUNS !== undefined) process.stdout.write(`${[...ends].map(([end, times]) => `${times} ${end}`).join('\n')}\n`)
      expect([...ends.keys()].sort()).toEqual(ENDS)
    },
    60_000 + RUNS * 500,
  )
})

async function stored(orderId: string): Promise<Snapshot & { totals: { gross: number } }> {
  return JSON.parse((await readSnapshot(market.deps.db, { entity: 'acme', side: 'buyer' }, orderId, new Date().toISOString())) ?? '{}')
}

async function seen({ orderId }: Handle) {
  const { status, last_seq, totals, line_items } = await stored(orderId)
  return { status, last_seq, gross: totals.gross, lines: line_items.map((line) => [line.status, line.num_accepted]) }
}

function shown(order: ModelOrder) {
  const { status, last_seq } = order
  return { status, last_seq, gross: grossOf(order) / 100, lines: linesOf(order) }
}
