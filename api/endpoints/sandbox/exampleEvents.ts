import type { EventType } from '../../../src/contract/vocabulary.ts'
import { openapi } from '../../pages/openapi.ts'

/** Returns a whole event of this type: the recorded one of the OpenAPI document. */
export function exampleOf(type: EventType): object {
  examples ??= (JSON.parse(openapi()) as Described).webhooks
  const { value } = examples[type]?.post.requestBody.content['application/json'].examples?.recorded ?? {}
  if (value === undefined) throw new Error(`docs/openapi.json has no example of ${type}`)
  return value
}
let examples: Described['webhooks'] | undefined

/** What is read of the OpenAPI document. */
interface Described {
  readonly webhooks: Readonly<
    Record<string, { post: { requestBody: { content: { 'application/json': { examples?: { recorded: { value: object } } } } } } }>
  >
}
