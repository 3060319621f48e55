import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import type { PublishRequest } from '../../../src/operations/publishing/publishEffect.ts'
import type { Call } from '../../http/call.ts'
import { ifMatch } from '../../http/ifMatch.ts'

/** Reads whether a publish is only a trial, and the basis that its sender has seen. */
export function publishRequest({ headers, query }: Call<unknown, DryRunQuery>): PublishRequest {
  return { dryRun: query.dry_run === 'true', isSeen: ifMatch(headers) }
}
