import type { Command } from 'commander'
import { does } from '../define.ts'
import type { Published, PublishOptions } from '../publish/readPublish.ts'

/** `publish catalog|rate-cards|avails`. */
export function addPublish(program: Command): void {
  const publish = program.command('publish').description('publish products, prices and avails, from json, csv, xlsx or parquet')
  const of = (what: Published, about: string, examples: readonly string[]) => {
    const command = publish
      .command(what)
      .description(about)
      .requiredOption(
        '-f, --file <file>',
        'json, jsonl, csv, xlsx or parquet, with the columns of the templates; - is JSON of standard input',
      )
      .option('--dry-run', 'let the marketplace say what it would publish, and publish nothing')
      .option('--check', "check it by the marketplace's rules on this machine, without a token, and send nothing")
    if (what === 'catalog') command.option('--taxonomy-version <version>', 'where the file names none')
    else command.option('--catalog <file>', 'with --check: the products that the entries name, as a body or a reply of /me/catalog')
    if (what === 'rate-cards')
      command
        .option('--commit <name>', 'the name of the commit, where the file names none; else that of the file with a hash of it')
        .option('--effective <dates>', 'the window of the prices, where the file names none, such as 2027-03-29..2027-06-27')
        .option('--agreement <id>', 'the agreement whose prices they are, where the file names none')
    does<PublishOptions>(command, examples, async (session, options) =>
      (await import('../publish/publish.ts')).publish(session, what, options),
    )
  }
  of('catalog', 'publish products', ['order-marketplace publish catalog -f docs/templates/catalog.csv --check'])
  of('rate-cards', 'publish prices', [
    'order-marketplace publish rate-cards -f rates.xlsx --commit 2027-q2 --effective 2027-03-29..2027-06-27',
    'order-marketplace publish rate-cards -f docs/examples/summit-rate-card.json --check --catalog docs/examples/summit-catalog.json',
  ])
  of('avails', 'publish availability', ['order-marketplace publish avails -f docs/templates/avails.csv --dry-run'])
}
