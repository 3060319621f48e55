import { cpuMicroseconds } from '../counters.ts'
import { sendLoad } from '../load.ts'
import { median } from '../pairs.ts'
import { memoryMb } from './memory.ts'
import { watchOthers } from './others.ts'
import type { Figures, Running, Say } from './peer.ts'

/** How much is measured; times in seconds. */
export interface Size {
  warmUpS: number
  intakes: number
  rounds: number
  roundS: number
  parked: number
  /** Parking ends then, however many there are. */
  parkingS: number
}

export const WHOLE: Size = { warmUpS: 4, intakes: 200, rounds: 3, roundS: 6, parked: 10_000, parkingS: 45 }
export const QUICK: Size = { warmUpS: 1, intakes: 40, rounds: 1, roundS: 3, parked: 500, parkingS: 10 }

/** Idle memory, then warm-up, intake one by one, whole orders in rounds, and parked orders at last. */
export async function measure(running: Running, atOnce: number, size: Size, say: Say): Promise<Figures> {
  const pids = Object.values(running.processes)
  const restMb = await memoryMb(pids)
  await carry(running, atOnce, size.warmUpS)
  const share = await watchOthers(pids)
  const { p50Ms } = await sendLoad({ ...running.intake, method: 'POST', requests: size.intakes, atOnce: 1 })
  await running.settle() // or the first round would carry them too
  say(`  intake ${p50Ms.toFixed(1)} ms`)
  const rounds: Round[] = []
  for (let round = 0; round < size.rounds; round += 1) {
    rounds.push(await timed(running, atOnce, size.roundS))
    say(`  ${rounds.at(-1)?.perSecond.toFixed(1)} whole orders/s`)
  }
  const others = await share()
  const parked = await park(running, size)
  return {
    ordersPerSecond: median(rounds.map(({ perSecond }) => perSecond)),
    intakeP50Ms: p50Ms,
    cpuMs: Object.fromEntries(Object.keys(running.processes).map((name) => [name, median(rounds.map(({ cpuMs }) => cpuMs[name] ?? 0))])),
    memory: { restMb, parkedMb: await memoryMb(pids), parked },
    others,
  }
}

interface Round {
  perSecond: number
  cpuMs: Record<string, number>
}

async function timed(running: Running, atOnce: number, seconds: number): Promise<Round> {
  const before = await cpuOf(running)
  const began = performance.now()
  const orders = await carry(running, atOnce, seconds)
  const took = (performance.now() - began) / 1_000
  const after = await cpuOf(running)
  const cpuMs = Object.fromEntries(Object.entries(after).map(([name, us]) => [name, (us - (before[name] ?? 0)) / 1_000 / orders]))
  return { perSecond: orders / took, cpuMs }
}

/** So many orders on their way at any time, no new one after so many seconds; returns how many there were when the last one has ended. */
async function carry(running: Running, atOnce: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let orders = 0
  const work = async () => {
    while (performance.now() < until) {
      await running.walk()
      orders += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await running.settle()
  return orders
}

async function cpuOf({ processes }: Running): Promise<Record<string, number>> {
  const read = Object.entries(processes).map(async ([name, pid]) => [name, await cpuMicroseconds(pid)] as const)
  return Object.fromEntries(await Promise.all(read))
}

const PORTION = 200

/** Orders that nobody decides about, in portions, each parked before the next one comes, until there are enough or the time is over. */
async function park({ intake, settle }: Running, { parked, parkingS, intakes }: Size): Promise<number> {
  const until = performance.now() + parkingS * 1_000
  let count = intakes
  while (count < parked && performance.now() < until) {
    const requests = Math.min(PORTION, parked - count)
    await sendLoad({ ...intake, method: 'POST', requests, atOnce: 16 })
    await settle()
    count += requests
  }
  return count
}
