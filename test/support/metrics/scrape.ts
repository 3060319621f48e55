/** Reads the figures of a process, by series as Prometheus writes them: `orders{status="seller_review",age="1h"}`. */
export async function scrape(port: number): Promise<Map<string, number>> {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`)
  if (reply.status !== 200) throw new Error(`GET /metrics of port ${port}: ${reply.status}`)
  return seriesOf(await reply.text())
}

export function seriesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}
