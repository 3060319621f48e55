import { Argument, type Command } from 'commander'
import { completionScript, SHELLS, type Shell } from '../completion.ts'
import { does } from '../define.ts'
import { write } from '../output.ts'

/** `completion`. */
export function addCompletion(program: Command): void {
  does<object, [Shell]>(
    program
      .command('completion')
      .description('print what completes commands and options in a shell')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS)),
    ['eval "$(order-marketplace completion bash)"', 'order-marketplace completion zsh > ~/.zfunc/_order-marketplace'],
    async (_session, _options, shell) => write(completionScript(program, shell)),
  )
}
