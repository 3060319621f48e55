import pg from 'pg'

/** Returns the characters of the largest list of parameters that any connection sends while the work runs. */
export async function largestStatement(work: () => Promise<unknown>): Promise<number> {
  let largest = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
    const [config, values] = args as unknown as [{ values?: unknown[] } | string, unknown[]?]
    const sent = (typeof config === 'string' ? values : (config.values ?? values)) ?? []
    largest = Math.max(largest, charactersOf(sent))
    return query.apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return largest
}

function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + charactersOf(one), 0)
  return typeof value === 'string' ? value.length : 8
}
