import { Command } from 'commander'
import { addAccess } from './commands/access.ts'
import { addCompletion } from './commands/completion.ts'
import { addConform } from './commands/conform.ts'
import { addDiscovery } from './commands/discovery.ts'
import { addDrop } from './commands/drop.ts'
import { addEvents } from './commands/events.ts'
import { addListen } from './commands/listen.ts'
import { addMakegoods } from './commands/makegoods.ts'
import { addOperator } from './commands/operator.ts'
import { addOrderActions } from './commands/orderActions.ts'
import { addOrders } from './commands/orders.ts'
import { addPublish } from './commands/publish.ts'
import { addRequests } from './commands/requests.ts'
import { addTrigger } from './commands/trigger.ts'
import { addWebhooks } from './commands/webhooks.ts'

/** Makes the whole command line. What a command needs is loaded once it runs. */
export function makeProgram(): Command {
  const program = new Command('order-marketplace')
    .description('Buy, sell and operate on an Order Marketplace Service, over HTTP.')
    .option('--json', 'print JSON, and nothing else, on standard output')
    .option('--profile <name>', 'the profile of a login')
    .option('--url <url>', 'the address of the marketplace; MARKETPLACE_URL, else that of the profile')
    .option('--token <token>', 'the token; MARKETPLACE_TOKEN, else that of the profile')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
  addAccess(program)
  addDiscovery(program)
  const orders = program.command('orders').description('place orders, follow them, act on them')
  addOrders(orders)
  addOrderActions(orders)
  addPublish(program)
  addDrop(program)
  addMakegoods(program)
  addEvents(program)
  addListen(program)
  addTrigger(program)
  addWebhooks(program)
  addRequests(program)
  addConform(program)
  addCompletion(program)
  addOperator(program)
  return program
}
