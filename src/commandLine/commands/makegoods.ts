import { type Command, Option } from 'commander'
import { does } from '../define.ts'
import type { AnswerOptions, ListMakegoodsOptions, OfferOptions } from '../makegoods.ts'
import { wholeNumber } from './options.ts'

/** `makegoods list, offer, answer`. */
export function addMakegoods(program: Command): void {
  const makegoods = program.command('makegoods').description('spots that do not air, and what is offered for them')
  const work = async () => import('../makegoods.ts')
  does<ListMakegoodsOptions>(
    makegoods
      .command('list')
      .description('list makegoods, newest first')
      .option('--order <order_id>', 'only of this order')
      .option('--status <status>', 'only in this status, such as offered')
      .option('--product <id>', 'only of this product')
      .option('--since <time>', 'only those changed at this UTC time or later')
      .option('--limit <count>', 'end after so many', wholeNumber(), 50),
    ['order-marketplace makegoods list --status offered'],
    async (session, options) => (await work()).listMakegoods(session, options),
  )
  does<OfferOptions, [string, string | undefined]>(
    makegoods
      .command('offer <order_id> [makegood_id]')
      .description(
        'say as the seller which units do not air, with offers or without; for a makegood that there is, offer others or recall it',
      )
      .option('-f, --file <file>', 'the notice, or the offers, as JSON; - is standard input')
      .addOption(new Option('--recall', 'take the makegood back').conflicts('file'))
      .option('--note <text>', 'why it is recalled'),
    [
      'order-marketplace makegoods offer ord_01HV… -f docs/examples/makegood-notice.json',
      'order-marketplace makegoods offer ord_01HV… mkg_01HV… --recall --note "it airs after all"',
    ],
    async (session, options, orderId, makegoodId) => (await work()).offerMakegood(session, options, orderId, makegoodId),
  )
  does<AnswerOptions, [string, string]>(
    makegoods
      .command('answer <order_id> <makegood_id>')
      .description('answer as the buyer, in the version that is read now')
      .addOption(new Option('--accept', 'take an offer').conflicts(['decline', 'credit']))
      .addOption(new Option('--decline', 'take none').conflicts('credit'))
      .option('--credit', 'have the units credited')
      .option('--offer <offer_id>', 'the offer that is taken, if there are several')
      .option('--note <text>', 'why')
      .option('--actor <name>', 'who does it, as the other party reads it'),
    ['order-marketplace makegoods answer ord_01HV… mkg_01HV… --accept'],
    async (session, options, orderId, makegoodId) => (await work()).answerMakegood(session, options, orderId, makegoodId),
  )
}
