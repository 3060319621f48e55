import { dirname, relative } from 'node:path'
import { transformSync } from '@swc/core'
import { addTo } from '../../src/domain/addTo.ts'
import type { Mutant } from './mutant.ts'
import { isStatementCall, type Node, nodesOf } from './syntax.ts'

/** The module of a mutated build that knows which fault is switched on; made of `switches.js`. */
export const SWITCHES = 'switches.js'

/** Returns the JavaScript of a file with all of its mutants in it, each behind its switch. */
export function instrumented(file: string, source: string, mutants: readonly Mutant[]): string {
  const edits = [...switchesIn(source, mutants), ...lazyStatements(source, mutants), ...importsOfBuild(source)]
  const switches = relative(dirname(file), SWITCHES)
  const typescript = `import { mutant as $m, lazy as $lazy, nameOf as $nameOf } from '${switches.startsWith('.') ? switches : `./${switches}`}'\n${rendered(source, edits)}`
  const { code } = transformSync(typescript, {
    filename: file,
    swcrc: false,
    configFile: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' }, transform: { verbatimModuleSyntax: true } },
    module: { type: 'es6' },
  })
  return code
}

/** A place whose text is written anew from the text that it holds, edited too. */
interface Edit {
  readonly start: number
  readonly end: number
  write(inner: string): string
}

/** Applies edits, of which each lies within another or beside it; of two with one place the later is inside. */
function rendered(source: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((one, other) => one.start - other.start || other.end - one.end)
  const within = (from: number, to: number): string => {
    let [text, at] = ['', from]
    for (let edit = sorted[0]; edit !== undefined && edit.start < to; edit = sorted[0]) {
      sorted.shift()
      text += source.slice(at, edit.start) + edit.write(within(edit.start, edit.end))
      at = edit.end
    }
    return text + source.slice(at, to)
  }
  return within(0, source.length)
}

function switchesIn(source: string, mutants: readonly Mutant[]): Edit[] {
  const groups = new Map<string, Mutant[]>()
  for (const mutant of mutants) addTo(groups, `${mutant.around.start} ${mutant.around.end} ${mutant.around.isStatement}`, mutant)
  return [...groups.values()].flatMap((group) => {
    const [{ around }] = group as [Mutant]
    const { start, end } = around
    const faulty = ({ start: from, end: to, text }: Mutant) => `${source.slice(start, from)}${text}${source.slice(to, end)}`
    const write = around.isStatement
      ? (inner: string) => `${group.map((mutant) => `if ($m(${mutant.id})) {${faulty(mutant)}} else `).join('')}{${inner}}`
      : (inner: string) => `(${group.map((mutant) => `$m(${mutant.id}) ? (${faulty(mutant)}) : `).join('')}(${inner}))`
    return [{ start, end, write }]
  })
}

/** Statements of the database are made when their module loads; here they are made again for each fault in them. */
function lazyStatements(source: string, mutants: readonly Mutant[]): Edit[] {
  return nodesOf(source).flatMap(({ node }): Edit[] => {
    if (!isStatementCall(node)) return []
    const ids = mutants.filter(({ start, end }) => start >= node.start && end <= node.end).map(({ id }) => id)
    const [first, last, name] = [ids[0], ids.at(-1), (node.arguments as Node[])[0]]
    if (first === undefined || name === undefined) return []
    return [
      { start: node.start, end: node.end, write: (inner) => `$lazy(${first}, ${last}, () => ${inner})` },
      { start: name.start, end: name.end, write: (inner) => `$nameOf(${first}, ${last}, ${inner})` },
    ]
  })
}

/** The build names its modules `.js`. */
function importsOfBuild(source: string): Edit[] {
  return nodesOf(source).flatMap(({ node, parents: [parent] }) => {
    const isSource = node.type === 'StringLiteral' && /^(Import|Export)/.test(parent?.type ?? '')
    const isCalled = parent?.type === 'CallExpression' && (parent.callee as Node).type === 'Import'
    if (!(isSource || isCalled) || !/^'\..*\.ts'$/.test(source.slice(node.start, node.end))) return []
    return [{ start: node.start, end: node.end, write: (inner) => inner.replace(/\.ts'$/, ".js'") }]
  })
}
