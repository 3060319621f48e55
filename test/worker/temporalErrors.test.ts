import { describe, expect, it } from '@jest/globals'
import { NamespaceNotFoundError } from '@temporalio/common'
import { grpcCode, isAway, isForbidden, isNamespaceUnknown, isUnreachable } from '../../worker/temporalErrors.ts'

const reply = (code: number, message = 'a reply') => Object.assign(new Error(message), { code, details: message, metadata: {} })
/** As the client of Temporal wraps what it was replied. */
const wrapped = (error: Error) => new Error('the call failed', { cause: new Error('of the service', { cause: error }) })

/** The status codes of gRPC, by number. */
const CODES = [
  ...['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS', 'PERMISSION_DENIED'],
  ...['RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS'],
  'UNAUTHENTICATED',
]
const meaning = (error: unknown) => [isForbidden(error), isUnreachable(error), isAway(error), isNamespaceUnknown(error)]

describe('what Temporal replies', () => {
  it.each(CODES.map((name, code) => [name, code] as const))('means the same wrapped and not: %s', (name, code) => {
    const isNo = ['PERMISSION_DENIED', 'UNIMPLEMENTED', 'UNAUTHENTICATED'].includes(name)
    const isGone = ['CANCELLED', 'DEADLINE_EXCEEDED', 'UNAVAILABLE'].includes(name)
    for (const error of [reply(code), wrapped(reply(code))]) {
      expect(meaning(error)).toEqual([isNo, isGone, isGone, false])
      expect(grpcCode(error)).toBe(code)
    }
  })

  it('says that it does not know the namespace, or no longer serves it', () => {
    const unknown = [
      new NamespaceNotFoundError('market'),
      reply(5, 'Namespace market is not found.'),
      wrapped(reply(5, 'namespace not found')),
      reply(9, 'Namespace has invalid state: Deleted'),
    ]
    for (const error of unknown) expect(meaning(error)).toEqual([false, false, true, true])
  })

  it('says nothing of the namespace by other words, nor by these with another code', () => {
    const others = [
      reply(5, 'workflow not found'),
      reply(5, 'namespaces'),
      reply(9, 'task queue is busy'),
      reply(3, 'namespace: invalid state'),
    ]
    for (const error of others) expect(meaning(error)).toEqual([false, false, false, false])
  })

  it('is no reply where it is no error of gRPC', () => {
    for (const error of [new Error('namespace not found'), 'UNAVAILABLE', undefined]) {
      expect(meaning(error)).toEqual([false, false, false, false])
      expect(grpcCode(error)).toBeUndefined()
    }
  })
})
