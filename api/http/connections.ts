import type { Server } from 'node:http'
import { BlockList, type Socket } from 'node:net'
import { sourceNetwork } from '../../src/adapters/http/sourceNetwork.ts'
import type { SharedLimit } from '../../src/config/index.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { type Mark, refuseOnSocket } from './brokenHttp.ts'

/**
 * Bounds the connections per address, or per 64-bit IPv6 network, and in total. An excess connection gets the envelope and is closed. The
 * proxies before the API are exempt from the bound per address, since all clients share their addresses.
 */
export function boundConnections(
  server: Server,
  { perTenant: one, total: all, exempt = [] }: SharedLimit & { readonly exempt?: readonly string[] | undefined },
  mark: Mark,
): void {
  const isExempt = matcher(exempt)
  const open = new Map<string, number>()
  let total = 0
  server.on('connection', (socket: Socket) => {
    const source = sourceNetwork(socket.remoteAddress)
    const own = open.get(source) ?? 0
    const refuse = (refusal: Refusal) => refuseOnSocket(socket, refusal, mark)
    if (total >= all) return refuse(new Refusal('UNAVAILABLE', `More than ${all} connections are open: try again in 1 s.`))
    if (own >= one && !isExempt(socket)) {
      const message = `More than ${one} connections are open from your address: close some, or use one for many requests.`
      return refuse(overLimit({ limit: 'connections', most: one }, message, 1))
    }
    open.set(source, own + 1)
    total += 1
    socket.once('close', () => {
      total -= 1
      const left = (open.get(source) ?? 0) - 1
      if (left > 0) open.set(source, left)
      else open.delete(source)
    })
  })
}

function matcher(ranges: readonly string[]): (socket: Socket) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return ({ remoteAddress = '', remoteFamily }) => list.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4')
}
