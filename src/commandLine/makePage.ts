import type { Command } from 'commander'
import { examplesOf } from './define.ts'
import { makeProgram } from './program.ts'

/** Makes docs/buy/command-line.md from the commands themselves. */
export function makeCommandLinePage(): string {
  const program = makeProgram()
  return `${INTRO}
## Commands

Every command takes \`${program.options.map(({ flags }) => flags).join('`, `')}\` and \`--help\`.

${program.commands.flatMap((command) => sectionsOf(command, [])).join('\n')}`
}

/** A section for each command that does something. */
function sectionsOf(command: Command, path: readonly string[]): string[] {
  const own = [...path, command.name()]
  if (command.commands.length > 0) return command.commands.flatMap((sub) => sectionsOf(sub, own))
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  const about = command.description()
  const options = command.options.map(({ flags, description, argChoices, defaultValue }) => {
    const more = [
      argChoices === undefined ? undefined : `one of ${argChoices.join(', ')}`,
      defaultValue === undefined ? undefined : `${String(defaultValue)} if left out`,
    ].filter((one) => one !== undefined)
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${description}${more.length > 0 ? `; ${more.join('; ')}` : ''} |`
  })
  const table = options.length === 0 ? [] : ['| Option | |', '|---|---|', ...options, '']
  const examples = ['```sh', ...examplesOf(command).map((line) => (line.startsWith('order-') ? `npx ${line}` : line)), '```', '']
  return [
    [`### ${[...own, ...args].join(' ')}`, '', `${about.charAt(0).toUpperCase()}${about.slice(1)}.`, '', ...table, ...examples].join('\n'),
  ]
}

const INTRO = `# The command line

\`order-marketplace\` does over HTTP what buyers and sellers do with the marketplace. In a checkout \`npx order-marketplace\` runs it. This page is made from the code: \`npm run docs\` writes it.

\`\`\`sh
npx order-marketplace login --as northlight-media   # a tenant of the sandbox on this machine; elsewhere --url and --token
npx order-marketplace sellers
npx order-marketplace trigger placed                # the sandbox plays the seller
npx order-marketplace orders list
\`\`\`

\`login\` keeps address and token in \`~/.config/order-marketplace/profiles.json\` (\`XDG_CONFIG_HOME\`), which only you can read; without \`--token\` it asks for it, or reads standard input. Options come before \`--profile\`, that before
\`MARKETPLACE_URL\` and \`MARKETPLACE_TOKEN\`, and those before the profile of the last login.

| Exit status | |
|---|---|
| 0 | done |
| 1 | refused: by the marketplace, or a row, a check or a signature does not hold |
| 2 | used wrongly: an argument, an option, a file or a profile |
| 3 | unreachable: nothing answered, or only part of an answer came |
| 130 | stopped by Ctrl-C; \`listen\` and \`events tail\`, which end by it, end with 0 |
| 141 | the reader of the output closed it |

Results go to standard output, everything else to standard error. With \`--json\` the result is one JSON document (\`events tail\`, \`orders watch\` and \`listen --print-json\`: a line each), and so is a refusal: the service's own error.
A refused file shows each fault under the line, or beside the row, that it is about.

- **Nothing is done twice.** A call whose reply is lost is sent again with the same bytes and key. The same \`orders create -f\`, \`publish\` and \`drop send\` may be repeated.
- **Nothing is lost.** \`events tail\` tells or keeps a checkpoint only of what it has written: after a full disk or a closed pipe it goes on behind the last whole event, and may repeat that one. A drop counts from its manifest on.
- **Listening.** \`listen\` signs with a secret of its own, which it keeps beside the profiles and prints: set it in your receiver. It posts as the marketplace does, three times within 25 seconds, and brings tests (\`trigger webhook.test\`) and redeliveries too.

Completion: \`eval "$(order-marketplace completion bash)"\`; for zsh, write \`order-marketplace completion zsh\` to \`_order-marketplace\` in a folder of \`$fpath\`.
`
