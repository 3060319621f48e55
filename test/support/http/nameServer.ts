import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

export interface NameServer {
  /** The address in the form that a resolver takes. */
  readonly address: string
  close(): void
}

/** Starts a real name server on this machine that knows only the given names. It never answers for names whose list is empty. */
export async function startNameServer(zone: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const known = zone[name]
    if (known?.length === 0) return
    const records = (known ?? []).filter((held) => (type === 28) === held.includes(':')).map((held) => recordOf(type, held))
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2) // NXDOMAIN or an answer
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Returns a record: the name by a pointer to the question, type, class IN, no time to live, the address. */
function recordOf(type: number, address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
  return Buffer.concat([head, bytes])
}
