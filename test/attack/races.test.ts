import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { takesDocuments } from '../support/orders/documentOrders.ts'
import { agrees, create, give, type Handle, overHttp, type Post } from '../support/orders/orderDriver.ts'
import { type Entry, linesOf, type ModelCommand, type ModelOrder, newOrder, type Said, step } from '../support/orders/orderModel.ts'
import { useMarket } from '../support/useMarket.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { report } from './support/table.ts'

/**
 * Two to four commands at once on one order, over HTTP. Every reply and the log must be those of the same commands one after another, in some order.
 * RACES sets the number of races, PROPERTY_SEED their examples.
 */
const RACES = Number(process.env.RACES ?? scale(80, 1_000))

const market = useMarket()
let post: Post
beforeAll(async () => {
  post = overHttp(market)
  await takesDocuments(market)
})

const UNITS = [10, 4]

const actor = fc.constantFrom('Ada', 'Bob')
const entry = fc.constantFrom<Entry>(null, 'accept', 'reject', 2, 99)
const decide = fc.record({
  do: fc.constant('decide' as const),
  decision: fc.constantFrom('approve' as const, 'reject' as const),
  actor,
  entries: fc.oneof({ weight: 3, arbitrary: fc.constant<Entry[]>([]) }, { weight: 1, arbitrary: fc.tuple(entry, entry) }),
})
const cancel = fc.constant<ModelCommand>({ do: 'cancel' })
const validate = fc.constant<ModelCommand>({ do: 'validate' })
const counter = fc.record({
  do: fc.constant('decide' as const),
  decision: fc.constant('counter' as const),
  actor,
  entries: fc.tuple(fc.constant<Entry>({ counter: 110_000 }), fc.constantFrom<Entry>(null, 'reject', { counter: 99_900 })),
})
const respond = fc.record({
  do: fc.constant('respond' as const),
  action: fc.constantFrom('accept' as const, 'withdraw' as const),
  late: fc.nat(4).map((drawn) => drawn === 0),
})
const lapse = fc.constant<ModelCommand>({ do: 'lapse' })
const rule = fc.record({ do: fc.constant('rule' as const), verdict: fc.constantFrom('approve' as const, 'reject' as const) })

const plan = fc.record({
  do: fc.constant('plan' as const),
  name: fc.constantFrom('P1', 'P2', 'P3'),
  units: fc.constantFrom<number[]>([3], [5, 6]),
  expensive: fc.constant(false),
})
const confirm = fc.record({
  do: fc.constant('confirm' as const),
  action: fc.constantFrom('confirm' as const, 'confirm' as const, 'reject' as const),
  plan: fc.constantFrom(null, 'P1', 'P2'),
  reason: fc.boolean(),
})
const parse = fc.record({ do: fc.constant('parse' as const), units: fc.constantFrom<number[]>([3], [3], [5, 6], []) })
/** For a document, which has no plan to name. */
const confirmRead = confirm.map((each) => ({ ...each, plan: null }))
const decideAll = decide.map((each) => ({ ...each, entries: [] }))

interface Start {
  name: string
  kind: ModelOrder['kind']
  before: ModelCommand[]
  contenders: fc.Arbitrary<ModelCommand>
}

/** The commands before a race, and the commands that may race. */
const STARTS: Start[] = [
  { name: 'submitted', kind: 'sellable', before: [], contenders: fc.oneof(validate, cancel, decide) },
  {
    name: 'seller_review',
    kind: 'sellable',
    before: [{ do: 'validate' }],
    contenders: fc.oneof({ weight: 3, arbitrary: decide }, counter, cancel, rule, respond),
  },
  {
    name: 'negotiating',
    kind: 'sellable',
    before: [{ do: 'validate' }, { do: 'decide', decision: 'counter', actor: 'Ada', entries: [{ counter: 100_000 }] }],
    contenders: fc.oneof({ weight: 3, arbitrary: respond }, counter, decide, cancel, lapse),
  },
  {
    name: 'awaiting_plan',
    kind: 'proposal',
    before: [{ do: 'validate' }],
    contenders: fc.oneof({ weight: 2, arbitrary: plan }, confirm, cancel, decideAll),
  },
  {
    name: 'needs_confirmation',
    kind: 'proposal',
    before: [{ do: 'validate' }, { do: 'plan', name: 'P1', units: [2], expensive: false }],
    contenders: fc.oneof({ weight: 3, arbitrary: confirm }, plan, cancel, decideAll),
  },
  {
    name: 'a document to be read',
    kind: 'document',
    before: [{ do: 'validate' }],
    contenders: fc.oneof({ weight: 2, arbitrary: parse }, { weight: 2, arbitrary: confirmRead }, cancel),
  },
  {
    name: 'a document that was read',
    kind: 'document',
    before: [{ do: 'validate' }, { do: 'parse', units: [5, 6] }],
    contenders: fc.oneof({ weight: 3, arbitrary: confirmRead }, validate, cancel, decideAll),
  },
]

const race = fc.nat(STARTS.length - 1).chain((place) => {
  const { contenders } = STARTS[place] as Start
  return fc.record({ place: fc.constant(place), commands: fc.array(contenders, { minLength: 2, maxLength: 4 }) })
})

/** Brings an order to the start of a race, in the service and in the model. */
async function at(kind: Start['kind'], before: ModelCommand[]): Promise<{ handle: Handle; order: ModelOrder }> {
  let order = newOrder(kind, UNITS)
  const handle = await create(market, post, order)
  for (const command of before) {
    expect(await give(market, post, handle, command)).toMatchObject({ done: {} })
    order = step(order, command).order
  }
  return { handle, order }
}

interface Outcome {
  said: Said[]
  events: string[]
  /** The status of every line, and how many of its units are accepted. */
  lines: [string, number][]
}

/** The number of commands that wrote events, in the first order of them that explains the outcome. */
function explained(order: ModelOrder, commands: ModelCommand[], outcome: Outcome): number | undefined {
  for (const places of permutations(commands.map((_, place) => place))) {
    let now = order
    const written: string[][] = []
    const agreed = places.every((place) => {
      const next = step(now, commands[place] as ModelCommand)
      now = next.order
      if (next.events.length > 0) written.push(next.events)
      return agrees(outcome.said[place] as Said, next.said)
    })
    const same = written.flat().join() === outcome.events.join() && linesOf(now).join() === outcome.lines.join()
    if (agreed && same) return written.length
  }
  return undefined
}

function permutations(places: number[]): number[][] {
  if (places.length < 2) return [places]
  return places.flatMap((first) => permutations(places.filter((place) => place !== first)).map((rest) => [first, ...rest]))
}

describe(`${RACES} races`, () => {
  it(
    'each end as their commands would one after another, in some order',
    async () => {
      const seen = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(race, async ({ place, commands }) => {
          const { name, kind, before } = STARTS[place] as Start
          const { handle, order } = await at(kind, before)
          const said = await Promise.all(commands.map((command) => give(market, post, handle, command)))
          const log = await market.events(handle.orderId)
          const events = log.slice(order.last_seq).map(({ status }) => String(status))
          const { line_items } = await market.snapshot(handle.orderId)
          const lines = line_items.map(({ status, num_accepted }): [string, number] => [status, num_accepted])
          const outcome = { said, events, lines }
          const winners = explained(order, commands, outcome)
          if (winners === undefined) {
            throw new Error(`from ${name}, no order of ${JSON.stringify(commands)} explains ${JSON.stringify(outcome)}`)
          }
          expect(await writersOf(handle.orderId)).toBe(1 + before.length + winners)
          seen.set(`${name} ${outcome.events.join(' ')}`, (seen.get(`${name} ${outcome.events.join(' ')}`) ?? 0) + 1)
        }),
        { numRuns: RACES, endOnFailure: true },
      )
      report('races of two to four commands on one order', { races: RACES, outcomes: seen.size, unexplained: 0 })
      if (IS_LONG) process.stdout.write(`${[...seen].map(([way, times]) => `${times} ${way}`).join('\n')}\n`)
      expect(seen.size).toBeGreaterThan(5)
    },
    60_000 + RACES * 2_000,
  )
})

/** The number of commands in the log of an order: its create, those before the race, and the winners. */
async function writersOf(orderId: string): Promise<number | undefined> {
  const { rows } = await market.deps.db.pool.query<{ writers: number }>(
    'select count(distinct command_id)::int as writers from order_events where order_id = $1',
    [orderId],
  )
  return rows[0]?.writers
}
