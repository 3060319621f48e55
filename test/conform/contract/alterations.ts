import type { Alteration, PassedCall, PassedReply } from './faultyProxy.ts'

/** Words in which the table of faults is written. */

type Body = PassedReply['body']

/** Whether a call is of an operation: `POST /orders/{}` has any segment where the braces are. */
export function isOf(operation: string, { method, path }: Pick<PassedCall, 'method' | 'path'>): boolean {
  const [verb, template = ''] = operation.split(' ')
  const form = template.split('/')
  const parts = (path.split('?')[0] ?? '').split('/')
  return verb === method && form.length === parts.length && form.every((part, at) => part === '{}' || part === parts[at])
}

/** Changes the body of the replies of an operation that succeed. */
export function changed(operation: string, change: (body: Body, call: PassedCall) => void): () => Alteration {
  return () => ({
    reply: (reply, call) => {
      if (isOf(operation, call) && reply.status < 300 && reply.body !== undefined) change(reply.body, call)
    },
  })
}

/** Changes replies of an error code. */
export function refusal(code: string, change: (reply: PassedReply) => void): () => Alteration {
  return () => ({
    reply: (reply) => {
      if (reply.body?.error_code === code) change(reply)
    },
  })
}

/** Leaves a parameter of the query out of the calls of an operation. */
export function ignoring(operation: string, parameter: string): () => Alteration {
  return () => ({
    request: (call) => {
      if (!isOf(operation, call)) return
      const [path = '', query = ''] = call.path.split('?')
      const kept = new URLSearchParams(query)
      kept.delete(parameter)
      call.path = `${path}?${kept}`
    },
  })
}

export function jsonReply(status: number, body: object): PassedReply {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req-1', 'cache-control': 'no-store', 'x-sandbox': 'true' }
  return { status, headers, text: '', body }
}
