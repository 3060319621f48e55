import { setTimeout as sleep } from 'node:timers/promises'

type Engine = { onExit(listener: (why: string) => void): void; stop(): Promise<void> }

export type KeptEngine = { stop(): Promise<void> }

/** Restarts an engine whenever it dies, on the port that its clients use. */
export function keepEngine<E extends Engine>(
  name: string,
  first: E,
  again: (last: E) => Promise<E>,
  onProgress: (text: string) => void,
): KeptEngine {
  let engine: E = first
  let restart: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  const restarted = async (why: string) => {
    onProgress(`${name} ended (${why}) and is started again.`)
    for (let pause = 200; !stopping.signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      try {
        engine = await again(engine)
        onProgress(`${name} is back.`)
        return watch()
      } catch (error) {
        onProgress((error as Error).message)
      }
    }
  }
  const watch = () =>
    engine.onExit((why) => {
      restart = restarted(why)
    })
  watch()

  return {
    stop: async () => {
      stopping.abort()
      await restart
      await engine.stop()
    },
  }
}
