import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Command } from 'commander'
import { completionScript } from '../../src/commandLine/completion.ts'
import { examplesOf } from '../../src/commandLine/define.ts'
import { jsonLines, lineOfFault, lineOfPointer } from '../../src/commandLine/jsonLines.ts'
import { makeProgram } from '../../src/commandLine/program.ts'
import { useCommandLine } from '../support/commandLine.ts'
import { succeeds } from '../support/succeeds.ts'

const line = useCommandLine()
const leaves = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leaves))

describe('every command', () => {
  it('has help with an example', () => {
    const without = leaves(makeProgram()).filter((command) => examplesOf(command).length === 0)
    expect(without.map((command) => command.name())).toEqual([])
  })

  it('shows its options, those of all commands and its example', async () => {
    const { code, out } = await line.run(['orders', 'list', '--help'])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/--waiting-on[\s\S]*--profile[\s\S]*Example:\n {2}order-marketplace orders list /),
    ])
  })

  it('is used wrongly with an unknown name, and offers the nearest', async () => {
    const { code, err } = await line.run(['order'])
    expect([code, err]).toEqual([2, expect.stringContaining('Did you mean orders?')])
    expect((await line.run(['orders'])).code).toBe(2)
    expect((await line.run([])).code).toBe(2)
  })

  it('of the operator runs its program with its own arguments', async () => {
    const { code, err } = await line.run(['operator', 'query', '--nonsense'], { DATA_DIR: line.folder })
    expect([code, err]).toEqual([1, expect.stringMatching(/^Usage: .*operator query/)])
    const unknown = await line.run(['operator', 'constructor'])
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringMatching(/^Name a program of the operator: token, /)])
  })
})

describe('completion', () => {
  const offered = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `${completionScript(makeProgram(), 'bash')}
COMP_WORDS=(order-marketplace ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _order_marketplace; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n')

  it('offers what may follow, in bash', () => {
    expect(offered('or')).toEqual(['orders'])
    expect(offered('orders', '')).toEqual(expect.arrayContaining(['create', 'list', 'watch', '--json']))
    expect(offered('orders', '--json', 'list', '--wait')).toEqual(['--waiting-on'])
    expect(offered('publish', 'rate-cards', '--eff')).toEqual(['--effective'])
    expect(offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh']))
  })

  const zsh = succeeds('zsh', '--version') ? it : it.skip
  zsh('is a script that zsh reads', () => {
    execFileSync('zsh', ['-n'], { input: completionScript(makeProgram(), 'zsh') })
  })

  it('is printed for the two shells, and for no other', async () => {
    expect(await line.run(['completion', 'zsh'])).toMatchObject({ code: 0, out: expect.stringMatching(/^#compdef order-marketplace\n/) })
    expect(await line.run(['completion', 'fish'])).toMatchObject({ code: 2, err: expect.stringContaining('bash, zsh') })
  })
})

describe('lines of JSON', () => {
  it('are found by pointer, in every example of the documentation', async () => {
    const text = await readFile(join(import.meta.dirname, '../../docs/examples/order.json'), 'utf8')
    const lines = jsonLines(text)
    const walk = (value: unknown, pointer: string): void => {
      expect(lines.has(pointer)).toBe(true)
      if (typeof value !== 'object' || value === null) return
      for (const [name, member] of Object.entries(value)) walk(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
    walk(JSON.parse(text), '')
  })

  it('are those of the nearest value around what is missing, and of the place where JSON ends', () => {
    const lines = jsonLines('{\n  "a/b": [\n    { "c": 1 },\n    2\n  ]\n}')
    expect(['/a~1b', '/a~1b/0/c', '/a~1b/1', '/a~1b/1/none', '/none'].map((pointer) => lineOfPointer(lines, pointer))).toEqual([
      2, 3, 4, 4, 1,
    ])
    expect([lineOfFault('{"a": 1}'), lineOfFault('{\n"a" 1}'), lineOfFault('[1,\n2\n'), lineOfFault('[1] 2')]).toEqual([undefined, 2, 3, 1])
    expect(lineOfFault('['.repeat(100_000))).toBe(1)
  })
})
