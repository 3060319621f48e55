import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parseSync } from '@swc/core'

/**
 * Every message that an integrator reads, found in the source: the argument at this place of what makes a refusal or a fault, and members called
 * `message`. Where a value is put in, the text has `{}`.
 */
const MAKERS: Readonly<Record<string, number>> = { Refusal: 1, Contradiction: 1, invalid: 1, fault: 1, invalidState: 1, invalidEntry: 3 }
/** Rooms whose words reach integrators. */
const ROOMS = ['api', 'src/domain', 'src/operations/orders', 'src/operations/publishing', 'src/store', 'src/contract']

/** Puts the two halves of a message together. */
const COMPOSED = 'src/contract/errorEnvelope.ts'

const files = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name)),
)

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'StringLiteral') return node.value as string
  if (node.type === 'TemplateLiteral') return (node.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join('{}')
  return undefined
}

/** What a node makes a message of, if it makes one. */
function messageOf(node: Node): unknown {
  const called = node.callee as { value?: string } | undefined
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const place = called?.value === undefined ? undefined : MAKERS[called.value]
    return place === undefined ? undefined : (node.arguments as { expression: unknown }[])[place]?.expression
  }
  if (node.type === 'KeyValueProperty')
    return /^(error_)?message$/.test((node.key as { value?: string }).value ?? '') ? node.value : undefined
  if (node.type === 'VariableDeclarator') return (node.id as { value?: string }).value === 'message' ? node.init : undefined
  return undefined
}

function messagesIn(file: string): [file: string, text: string][] {
  const found: [string, string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const text = isNode(value) ? textOf(messageOf(value)) : undefined
    if (text !== undefined && text !== '') found.push([file, text])
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' }).body)
  return found
}

const MESSAGES = files.filter((file) => file !== COMPOSED).flatMap(messagesIn)

/** A whole sentence, or a predicate to the name of the member before it. */
const SENTENCE = /^(\{\}|[A-Z]|[a-z]\w*(\.\w+)*(?= ))[\s\S]*([.})]| is required)$|^(must|is|are|has|opens) /
const WORN = /\banew\b|\bas far as\b|\bwhoever\b|\bstands? twice\b|\bgives way\b|\bis told\b|\bdear\b/

describe('a message that an integrator reads', () => {
  it('is found where messages are made', () => {
    expect(MESSAGES.length).toBeGreaterThan(200)
  })

  it('is a sentence, or a predicate to the name of a member', () => {
    expect(MESSAGES.filter(([, text]) => !SENTENCE.test(text.trim()))).toEqual([])
  })

  it('is in plain English', () => {
    expect(MESSAGES.filter(([, text]) => WORN.test(text))).toEqual([])
  })

  it('is short enough to be read', () => {
    expect(MESSAGES.filter(([, text]) => text.length > 200)).toEqual([])
  })
})
