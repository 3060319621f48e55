import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/local/embedded/ports.ts'
import { killUnderLoad, openParties, UNDER_LOAD } from './deaths.ts'
import { logsOf, plantSecrets, secretsIn } from './logSecrets.ts'
import { PARTS, type Product, startProduct } from './product.ts'
import { measureRecovery, RECOVERIES } from './recovery.ts'
import { startTraffic, type TrackedOrder, type Traffic } from './traffic.ts'
import { brokenPromises, unfinishedOrders, wrongsSeenByClients } from './verdict.ts'

/**
 * `npm run storm -- [rounds]`: each round kills every part twice in random order, then the supervisor or everything. It measures before and
 * after how soon orders move on. At the end no log may contain a credential or text of tenants. Exits with 1 if anything is wrong.
 */
async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 10)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('npm run storm -- <rounds>: a whole number, 10 when left out.')
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-storm-'))
  const port = await freePort()
  const orders: TrackedOrder[] = []
  let product = await startProduct({ dataDir, port, env: UNDER_LOAD })
  const parties = await openParties(product)
  const planted = await plantSecrets(product, parties)
  const said: string[] = []
  let wrong = 0
  await recover('before')
  for (let round = 1; round <= rounds; round += 1) {
    const parts = shuffled([...PARTS, ...PARTS])
    const begun = await planted.begin(`planted-${round}`)
    const deaths = killUnderLoad(product, parties, { parts, name: `round-${round}`, onProgress: say })
    const [traffic, carried] = await Promise.all([deaths, begun.finish()])
    orders.push(...carried)
    wrong += await judge(traffic)
    const ending = startTraffic(parties, { name: `ending-${round}` })
    await sleep(1_000)
    product = await restart(product, round % 2 === 0)
    await ending.finish()
    wrong += await judge(ending)
    say(`round ${round} of ${rounds}: ${orders.length} orders, ${wrong} wrongs`)
  }
  await recover('after')
  await product.stop()
  planted.close()
  const logs = await logsOf(dataDir, [...said, product.said()].join(''))
  for (const what of secretsIn(logs, planted.secrets)) {
    say(`${what} is in a log`)
    wrong += 1
  }
  if (wrong === 0) await rm(dataDir, { recursive: true, force: true })
  else say(`The data of the failed run is in ${dataDir}`)
  process.exitCode = wrong === 0 ? 0 : 1

  async function recover(name: string): Promise<void> {
    for (const part of ['worker', 'postgres'] as const) {
      const { awayMs, movedMs, orders: made } = await measureRecovery(product, parties, { part, name: `${name}-${part}` })
      orders.push(...made)
      const late = movedMs > RECOVERIES[part].withinMs
      say(`${part} was away for ${awayMs} ms; ${movedMs} ms after its return ${made.length} orders had moved on${late ? ': too late' : ''}`)
      if (late) wrong += 1
    }
  }

  async function judge(traffic: Traffic): Promise<number> {
    orders.push(...traffic.orders)
    const seen = await wrongsSeenByClients(parties, orders)
    const wrongs = [...traffic.faults, ...seen, ...(await unfinishedOrders(dataDir, orders)), ...(await brokenPromises(dataDir, orders))]
    for (const line of wrongs) say(line)
    return wrongs.length
  }

  async function restart(running: Product, politely: boolean): Promise<Product> {
    if (politely) {
      const { tookMs, left } = await running.stop()
      say(`stopped in ${tookMs} ms`)
      if (left.length > 0 || tookMs > 10_000) wrong += 1
      for (const { command } of left) say(`left behind: ${command}`)
    } else {
      await running.killSupervisor()
      say('the supervisor was killed')
    }
    said.push(running.said())
    return startProduct({ dataDir, port, env: UNDER_LOAD })
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${text}\n`)
}

main().catch((error: Error) => {
  say(error.message)
  process.exit(1)
})
