import type { Command } from 'commander'
import { does } from '../define.ts'
import { UsageFault } from '../exits.ts'
import { OPERATOR_PROGRAMS } from '../operator.ts'

/** `operator`: shown here; main.ts starts the programs, which read their own arguments. */
export function addOperator(program: Command): void {
  const known = Object.entries(OPERATOR_PROGRAMS)
  does<object, [string | undefined]>(
    program
      .command('operator [program] [arguments...]')
      .description('run a program of the operator, beside the database and by its configuration')
      .addHelpText('after', `\nPrograms:\n${known.map(([name, { about }]) => `  ${name.padEnd(20)} ${about}\n`).join('')}`),
    [
      'order-marketplace operator token issue --tenant northlight-media --side buyer',
      'order-marketplace operator query "select count(*) from orders"',
    ],
    async () => {
      throw new UsageFault(`Name a program of the operator: ${known.map(([name]) => name).join(', ')}.`)
    },
  )
}
