import type { Command } from 'commander'
import { does } from '../define.ts'
import type { RequestsOptions } from '../requests.ts'
import { wholeNumber } from './options.ts'

/** `requests`. */
export function addRequests(program: Command): void {
  does<RequestsOptions>(
    program
      .command('requests')
      .description('list your calls of the last days that were refused or failed')
      .option('--since <time>', 'only those answered at this UTC time or later')
      .option('--status <status>', 'only those with this HTTP status', wholeNumber(400))
      .option('--request-id <id>', 'only the one with this X-Request-Id')
      .option('--limit <count>', 'end after so many', wholeNumber(), 50),
    ['order-marketplace requests --status 422 --limit 5'],
    async (session, options) => (await import('../requests.ts')).requests(session, options),
  )
}
