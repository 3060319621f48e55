import type { Command } from 'commander'
import { does } from '../define.ts'
import type { TriggerOptions } from '../trigger/trigger.ts'

/** `trigger`. */
export function addTrigger(program: Command): void {
  does<TriggerOptions, [string | undefined]>(
    program
      .command('trigger [what]')
      .description('make an event or a status of an order happen in a sandbox')
      .option('--endpoint <id>', 'the webhook endpoint that gets an example of an event, if there are several')
      .option('--list', 'say what can be made to happen'),
    ['order-marketplace trigger negotiating', 'order-marketplace trigger catalog.window_opened', 'order-marketplace trigger --list'],
    async (session, options, what) => (await import('../trigger/trigger.ts')).trigger(session, options, what),
  )
}
