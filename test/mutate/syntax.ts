import { parse } from '@babel/parser'

/** A node of a syntax tree, with its place in the source. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A node with the nodes around it, the nearest first. */
export interface Found {
  readonly node: Node
  readonly parents: readonly Node[]
}

/** Returns every node of a module that is left when types are gone. */
export function nodesOf(source: string): Found[] {
  const found: Found[] = []
  const walk = (node: Node, parents: readonly Node[]): void => {
    if (IS_TYPE.test(node.type) && !HOLDS_EXPRESSION.has(node.type)) return
    found.push({ node, parents })
    for (const child of childrenOf(node)) walk(child, [node, ...parents])
  }
  walk(
    parse(source, { sourceType: 'module', plugins: ['typescript'], createParenthesizedExpressions: true }).program as unknown as Node,
    [],
  )
  return found
}

const IS_TYPE = /^TS/
const HOLDS_EXPRESSION = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([member, value]) => {
    if (NOT_CHILDREN.has(member)) return []
    return (Array.isArray(value) ? value : [value]).filter(isNode)
  })
}

const NOT_CHILDREN = new Set(['loc', 'extra', 'leadingComments', 'trailingComments', 'innerComments', 'typeAnnotation', 'typeParameters'])

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** Whether the code of a node runs when its module loads, not when something is called. */
export function runsAtLoad({ parents }: Found): boolean {
  return !parents.some(({ type }) => /Function|ClassMethod|ClassPrivateMethod|ObjectMethod/.test(type))
}

/** Returns the node that a condition can be put around instead of this one: itself, or an expression that only works as a whole. */
export function wrappable({ node, parents }: Found): Found | undefined {
  const [parent, ...others] = parents
  if (parent === undefined) return undefined
  const up = () => wrappable({ node: parent, parents: others })
  const isChained = node.type.startsWith('Optional') && parent.type.startsWith('Optional')
  const isCalled =
    (/CallExpression$|NewExpression$/.test(parent.type) && parent.callee === node) || parent.tag === node || parent.quasi === node
  if (isCalled || (isChained && (parent.object === node || parent.callee === node))) return up()
  if (parent.type === 'TSNonNullExpression' && /^Optional/.test(others[0]?.type ?? '')) return up()
  return hasOwnPlace(node, parent) ? { node, parents } : undefined
}

function hasOwnPlace(node: Node, parent: Node): boolean {
  if (!/(Expression|Literal|^Identifier)$/.test(node.type) && node.type !== 'StringLiteral') return false
  if (parent.type === 'AssignmentPattern') return parent.right === node
  if (/Pattern|Import|Export(Named|All)|UpdateExpression|Directive|TemplateElement/.test(parent.type)) return false
  if (/^Assignment/.test(parent.type) && parent.left === node) return false
  if (/^For(In|Of)/.test(parent.type) && parent.left === node) return false
  if (/Property$|Method$/.test(parent.type) && (parent.key === node || parent.shorthand === true)) return false
  return !(parent.type === 'UnaryExpression' && parent.operator === 'delete')
}

/** Whether a node declares a prepared statement. */
export function isStatementCall({ type, callee }: Node): boolean {
  return type === 'CallExpression' && (callee as Node).type === 'Identifier' && (callee as Node).name === 'statement'
}
