import { Pool } from 'undici'

/** The limit of deliveries: the same bytes by undici alone, so many at once. Asked by `{origin, body, posts, atOnce}`, answers the rate. */
process.on('message', ({ origin, body, posts, atOnce }: { origin: string; body: string; posts: number; atOnce: number }) => {
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 })
  let left = posts
  const began = performance.now()
  const work = async () => {
    while (left > 0) {
      left -= 1
      const { body: reply } = await pool.request({ method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body })
      await reply.dump()
    }
  }
  void Promise.all(Array.from({ length: atOnce }, work)).then(async () => {
    const seconds = (performance.now() - began) / 1_000
    await pool.close()
    process.send?.({ perSecond: posts / seconds })
  })
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ ready: true })
