import type { Command } from 'commander'
import { does } from '../define.ts'
import type { AvailsOptions, CatalogOptions, CsvOptions } from '../discovery/tables.ts'
import { wholeNumber } from './options.ts'

/** `sellers`, `catalog`, `avails` and `prices`. */
export function addDiscovery(program: Command): void {
  const tables = async () => import('../discovery/tables.ts')
  const csv = (command: Command) => command.option('--csv', 'print csv')
  const ofSeller = (name: string, about: string) =>
    csv(program.command(name).argument('<seller>', 'a name of the list of sellers').description(about)).option(
      '--agreement <id>',
      'read under an agreement with the seller',
    )
  const avails = (name: string, about: string) =>
    ofSeller(name, about)
      .option('--product <id>', 'only this product')
      .option('--weeks <list>', 'only these weeks, such as 2027-W05,2027-W07..2027-W09')
      .option('--length <seconds>', 'only prices of this spot length', wholeNumber())
      .option('--limit <count>', `end after so many ${name}`, wholeNumber())

  does<CsvOptions>(
    csv(program.command('sellers').description('list the sellers that you may order from')),
    ['order-marketplace sellers'],
    async (session, options) => (await tables()).sellers(session, options),
  )
  does<CatalogOptions, [string]>(
    ofSeller('catalog', 'list what a seller sells'),
    ['order-marketplace catalog sandbox-tv'],
    async (session, options, seller) => (await tables()).catalog(session, options, seller),
  )
  does<AvailsOptions, [string]>(
    avails('avails', 'list what a seller has left'),
    ['order-marketplace avails sandbox-tv --product sbx-approved --weeks 2027-W05..2027-W08'],
    async (session, options, seller) => (await tables()).avails(session, options, seller),
  )
  does<AvailsOptions, [string]>(
    avails('prices', 'list the published prices of a seller, with the locked_rate_id that an order cites'),
    ['order-marketplace prices sandbox-tv --product sbx-approved --csv > prices.csv'],
    async (session, options, seller) => (await tables()).prices(session, options, seller),
  )
}
