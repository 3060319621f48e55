import { type Command, Option } from 'commander'
import { does } from '../define.ts'
import type { ActionOptions, ConfirmOptions, DecideOptions, RespondOptions } from '../orders/actions.ts'

/** What the parties of an order do: `orders confirm, respond, cancel, decide, plan`. */
export function addOrderActions(orders: Command): void {
  const actions = async () => import('../orders/actions.ts')
  const action = (name: string, about: string) =>
    orders
      .command(`${name} <order_id>`)
      .description(about)
      .option('-f, --file <file>', 'the whole body as JSON; - is standard input')
      .option('--actor <name>', 'who does it, as the other party reads it')

  does<ConfirmOptions, [string]>(
    action('confirm', 'confirm what was read of your document, or a plan, or reject it')
      .option('--reject', 'reject it')
      .option('--reason <text>', 'why it is rejected'),
    ['order-marketplace orders confirm ord_01HV…', 'order-marketplace orders confirm ord_01HV… -f docs/examples/confirm.json'],
    async (session, options, orderId) => (await actions()).confirmOrder(session, options, orderId),
  )
  does<RespondOptions, [string]>(
    action('respond', 'accept the counter of a seller, or withdraw')
      .addOption(new Option('--accept', 'accept it').conflicts('withdraw'))
      .option('--withdraw', 'withdraw the order')
      .option('--reason <text>', 'why'),
    ['order-marketplace orders respond ord_01HV… --accept'],
    async (session, options, orderId) => (await actions()).respondOrder(session, options, orderId),
  )
  does<ActionOptions, [string]>(
    action('cancel', 'cancel an order')
      .option('--reason <text>', 'why')
      .option('--dry-run', 'say what a cancellation would cost, and cancel nothing'),
    ['order-marketplace orders cancel ord_01HV… --reason "campaign postponed" --dry-run'],
    async (session, options, orderId) => (await actions()).cancelOrder(session, options, orderId),
  )
  does<DecideOptions, [string]>(
    action('decide', 'approve, reject or counter an order that you received')
      .addOption(new Option('--approve', 'accept every line').conflicts('reject'))
      .option('--reject', 'reject every line')
      .option('--reason <text>', 'why')
      .option('--seller-order-id <id>', 'its id in your own system')
      .option('--dry-run', 'say what would be booked, and decide nothing'),
    [
      'order-marketplace orders decide ord_01HV… --approve --seller-order-id 4711',
      'order-marketplace orders decide ord_01HV… -f docs/examples/counter.json --dry-run',
    ],
    async (session, options, orderId) => (await actions()).decideOrder(session, options, orderId),
  )
  does<ActionOptions & { file: string }, [string]>(
    orders
      .command('plan <order_id>')
      .description('answer the request of a buyer with a plan')
      .requiredOption('-f, --file <file>', 'the plan as JSON; - is standard input'),
    ['order-marketplace orders plan ord_01HV… -f docs/examples/plan.json'],
    async (session, options, orderId) => (await actions()).planOrder(session, options, orderId),
  )
}
