import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Returns the first of `count` consecutive ports that nothing uses, below those that the system assigns automatically. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 32_000 - count)
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}
