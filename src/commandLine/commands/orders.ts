import { type Command, Option } from 'commander'
import { does } from '../define.ts'
import type { CreateOptions } from '../orders/create.ts'
import type { ListOptions, ShowOptions } from '../orders/read.ts'
import type { WatchOptions } from '../orders/watch.ts'
import { names, wholeNumber } from './options.ts'

/** `orders …`: reading them here, acting on them in orderActions.ts. */
export function addOrders(orders: Command): void {
  does<CreateOptions>(
    orders
      .command('create')
      .description('place an order; the same file again gets the first reply')
      .requiredOption('-f, --file <file>', 'the order as JSON; - is standard input')
      .option('--dry-run', 'check it as a create would, and place nothing')
      .option('--wait', 'wait until it is parked with a party or has ended'),
    ['order-marketplace orders create -f docs/examples/order.json --dry-run'],
    async (session, options) => (await import('../orders/create.ts')).createOrder(session, options),
  )
  does<ListOptions>(
    orders
      .command('list')
      .description('list orders, newest first: those you placed, or those you received')
      .option('--status <list>', 'only these statuses', names)
      .option('--workflow <list>', 'only catalog, proposal, document', names)
      .option('--seller <seller>', 'only with this seller')
      .option('--buyer <buyer>', 'only of this buyer')
      .option('--advertiser <id>', 'only with this buyer_metadata.advertiser_id')
      .option('--external-id <id>', 'only the one with this external_order_id')
      .addOption(new Option('--waiting-on <party>', 'only those that wait for this party').choices(['buyer', 'seller', 'platform']))
      .option('--updated-since <time>', 'only those updated at this UTC time or later')
      .option('--query <text>', 'only those whose id begins with this')
      .option('--limit <count>', 'end after so many', wholeNumber(), 50),
    ['order-marketplace orders list --status seller_review,negotiating --limit 10'],
    async (session, options) => (await import('../orders/read.ts')).listOrders(session, options),
  )
  does<ShowOptions, [string]>(
    orders
      .command('show <order_id>')
      .description('show an order: its lines, what it waits for, what you may do')
      .option('--events', 'show its log too'),
    ['order-marketplace orders show ord_01HV… --events'],
    async (session, options, orderId) => (await import('../orders/read.ts')).showOrder(session, options, orderId),
  )
  does<WatchOptions, [string]>(
    orders
      .command('watch <order_id>')
      .description('print the events of an order as they happen')
      .addOption(
        new Option('--until <moment>', 'parked: it waits for a party; ended: placed, canceled, rejected or failed')
          .choices(['parked', 'ended'])
          .default('ended'),
      ),
    ['order-marketplace orders watch ord_01HV… --until parked'],
    async (session, options, orderId) => (await import('../orders/watch.ts')).watchOrder(session, options, orderId),
  )
}
