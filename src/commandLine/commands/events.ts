import { type Command, Option } from 'commander'
import { does } from '../define.ts'
import type { ResendOptions } from '../events/resend.ts'
import type { TailOptions } from '../events/tail.ts'
import { names, wholeNumber } from './options.ts'

/** `events tail` and `events resend`. */
export function addEvents(program: Command): void {
  const events = program.command('events').description('follow the feed, and have deliveries sent again')
  does<TailOptions>(
    events
      .command('tail')
      .description('print the events of the feed as they happen; with --json each is a line of JSON')
      .option('--after <checkpoint>', 'begin after this checkpoint, which an earlier run named; now: with what happens from now on')
      .option('--keep <file>', 'keep the checkpoint in this file, and go on from it the next time')
      .option('--events <list>', 'only these types, such as order.status_changed', names)
      .option('--statuses <list>', 'only these statuses of orders', names)
      .option('--limit <count>', 'end after so many', wholeNumber())
      .option('--once', 'end at the end of the feed'),
    ['order-marketplace events tail --after now', 'order-marketplace events tail --keep cursor.json --json >> events.jsonl'],
    async (session, options) => (await import('../events/tail.ts')).tail(session, options),
  )
  does<ResendOptions>(
    events
      .command('resend')
      .description('have one delivery of a webhook endpoint sent again, or those of a period')
      .option('--endpoint <id>', 'the endpoint, if there are several')
      .addOption(new Option('--delivery <id>', 'this delivery alone').conflicts(['from', 'to']))
      .option('--from <time>', 'those first sent at this UTC time or later')
      .option('--to <time>', 'and before this one; now if left out')
      .addOption(new Option('--status <status>', 'those that ended so').choices(['dropped', 'delivered']).default('dropped'))
      .option('--skip-delivered', 'leave out what another delivery has brought since'),
    ['order-marketplace events resend --from 2027-02-01T00:00:00Z --skip-delivered'],
    async (session, options) => (await import('../events/resend.ts')).resend(session, options),
  )
}
