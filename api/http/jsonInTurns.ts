import { beginTurn, type LoopTurn } from '../../src/operations/loopTurns.ts'

/** Returns items of a large reply as JSON texts, separated by commas. Gives the event loop to other requests every 5 ms. */
export async function jsonInTurns(items: readonly unknown[], turn: LoopTurn = beginTurn()): Promise<string> {
  const texts: string[] = []
  for (const item of items) {
    texts.push(JSON.stringify(item))
    if (turn.isOver()) await turn.pass()
  }
  return texts.join(',')
}
