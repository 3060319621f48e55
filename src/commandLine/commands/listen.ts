import { type Command, InvalidArgumentError } from 'commander'
import { does } from '../define.ts'
import type { Failing, ListenOptions } from '../listen/listen.ts'
import { names } from './options.ts'

/** `listen`. */
export function addListen(program: Command): void {
  does<ListenOptions>(
    program
      .command('listen')
      .description(
        'bring events to a receiver on this machine as the marketplace would: signed, in three attempts, without a public address',
      )
      .option('--forward <url>', 'the receiver, such as http://localhost:3000/hook')
      .option('--events <list>', 'only these types, such as order.status_changed', names)
      .option('--statuses <list>', 'only these statuses of orders', names)
      .option('--endpoint <id>', 'all deliveries of this endpoint; else the feed, with the tests and redeliveries of every endpoint')
      .option('--headers <header...>', 'further headers, such as "X-Tenant: acme"')
      .option('--fail <status>x<times>', 'take the first answers to each event for this status, so that it is sent again', failing)
      .option('--print-json', 'print each event as a line of JSON')
      .option('--after <checkpoint>', 'begin after this checkpoint of events tail', 'now')
      .option('--rotate-secret', 'make a new secret; for a day the one before signs too'),
    [
      'order-marketplace listen --forward http://localhost:3000/hook',
      'order-marketplace listen --forward http://localhost:3000/hook --statuses placed --fail 500x2',
    ],
    async (session, options) => (await import('../listen/listen.ts')).listen(session, options),
  )
}

function failing(text: string): Failing {
  const [, status, times] = /^([1-5]\d\d)x(\d{1,2})$/.exec(text) ?? []
  if (status === undefined || times === undefined) throw new InvalidArgumentError('It is a status and how often, such as 500x2.')
  return { status: Number(status), times: Number(times) }
}
