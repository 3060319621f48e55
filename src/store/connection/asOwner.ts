import pg from 'pg'

/** Works on its own connection as the user of the URL, who must own the tables: the policies of tenants do not apply to it. */
export async function asOwner<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
