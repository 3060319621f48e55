import type { z } from 'zod'
import { type Client, type ClientOptions, openClient, type Reply, type SentBody } from '../../client/src/index.ts'
import type { ByteStream } from '../contract/endpoints/endpoint.ts'
import type { OPERATIONS } from '../contract/endpoints/groups.ts'

/**
 * The operations of the client with the types of this version's contract. Those of the client are open, since a later service may have further
 * statuses and events; our own programs are of the same version as the service, and closed types find what they leave out.
 */
export type Operations = { readonly [Name in keyof typeof OPERATIONS]: Call<(typeof OPERATIONS)[Name]> }

export function openOwnClient(options: ClientOptions): Operations {
  return ownOperations(openClient(options))
}

export function ownOperations({ operations }: Pick<Client, 'operations'>): Operations {
  return operations as unknown as Operations
}

type Call<E> = Record<never, never> extends Input<E> ? (input?: Input<E>) => Promise<ReplyOf<E>> : (input: Input<E>) => Promise<ReplyOf<E>>

/** The arguments of an operation; members that it does not take are left out. */
type Input<E> = PathInput<E> & QueryInput<E> & BodyInput<E> & { headers?: Readonly<Record<string, string>> }

type PathInput<E> = E extends { path: infer Path extends string }
  ? [Parameters<Path>] extends [never]
    ? unknown
    : { path: Readonly<Record<Parameters<Path>, string>> }
  : never
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** A value of a query: lists are sent comma-separated, numbers as text. */
type QueryValue = string | number | boolean | readonly string[]
type Values<Query> = { readonly [Name in keyof Query]: QueryValue }
type QueryInput<E> = E extends { query: z.ZodType<unknown, infer Sent> }
  ? [keyof Sent] extends [never]
    ? unknown
    : Record<never, never> extends Sent
      ? { query?: Values<Sent> }
      : { query: Values<Sent> }
  : never

/** The body of an operation: text is sent byte for byte, anything else as JSON. */
type BodyInput<E> = E extends { body: z.ZodType<infer Taken>; shownBody?: z.ZodType<unknown, infer Sent> }
  ? [Taken] extends [undefined]
    ? unknown
    : [Taken] extends [ByteStream]
      ? { body: SentBody; contentType: string }
      : { body: Sent | string }
  : never

/** The reply of an operation; of one that has a dry run, not that of the dry run, which is its 200. */
type ReplyOf<E> = E extends { replies: infer Replies } ? Reply<BodyOf<Replies[StatusOf<Replies>]>> : never
type StatusOf<Replies> = [Exclude<keyof Replies, 200>] extends [never] ? keyof Replies : Exclude<keyof Replies, 200>
type BodyOf<Schema> = Schema extends z.ZodType<infer Body> ? ([Body] extends [never] ? undefined : Body) : never
