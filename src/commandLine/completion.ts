import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh'] as const
export type Shell = (typeof SHELLS)[number]

/** Makes the script of a shell: the words that may follow each command. The shell itself completes files. */
export function completionScript(program: Command, shell: Shell): string {
  const cases = walk(program, []).map(({ path, words }) => `    '${path.join(' ')}') offered='${words.join(' ')}' ;;`)
  return shell === 'bash' ? BASH(cases.join('\n')) : ZSH(cases.join('\n'))
}

function walk(command: Command, path: readonly string[]): { path: readonly string[]; words: readonly string[] }[] {
  const globals = ['--json', '--profile', '--url', '--token', '--help']
  const options = command.options.map(({ long }) => long ?? '').filter((name) => name !== '' && !globals.includes(name))
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const words = [...command.commands.map((sub) => sub.name()), ...choices, ...options, ...globals]
  return [{ path, words }, ...command.commands.flatMap((sub) => walk(sub, [...path, sub.name()]))]
}

/** A word that is no option extends the path while that is one of a command. */
const WORDS = (cases: string) => `_order_marketplace_words() {
  case "$1" in
${cases}
    *) return 1 ;;
  esac
}
_order_marketplace_offer() {
  local command='' word
  for word in "$@"; do
    case "$word" in
      -*) ;;
      *) _order_marketplace_words "\${command:+$command }$word" && command="\${command:+$command }$word" ;;
    esac
  done
  _order_marketplace_words "$command"
}
`

const BASH = (cases: string) => `${WORDS(cases)}_order_marketplace() {
  local offered=''
  _order_marketplace_offer "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _order_marketplace order-marketplace
`

const ZSH = (cases: string) => `#compdef order-marketplace
${WORDS(cases)}_order_marketplace() {
  local offered=''
  _order_marketplace_offer "\${(@)words[2,CURRENT-1]}"
  compadd -- \${=offered}
  _files
}
if [ "$funcstack[1]" = _order_marketplace ]; then
  _order_marketplace "$@"
else
  compdef _order_marketplace order-marketplace
fi
`
