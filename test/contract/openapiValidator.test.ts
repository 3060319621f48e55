import { describe, expect, it } from '@jest/globals'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { makeOpenapi } from '../../tools/docs/makeOpenapi.ts'
import { pullOpenapi } from '../../tools/docs/pullOpenapi.ts'

/** Rules of the validator beside those of OpenAPI itself. */
const RULES = {
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-enum-type-mismatch': 'error',
  'no-unused-components': 'error',
  'operation-description': 'error',
  'operation-operationId-unique': 'error',
  'operation-operationId-url-safe': 'error',
  'operation-singular-tag': 'error',
  'operation-summary': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'security-defined': 'error',
  'tag-description': 'error',
  // /orders/preview beside /orders/{order_id}: fixed segments win.
  'no-ambiguous-paths': 'off',
} as const

async function problemsOf(source: string, rules: Partial<Record<keyof typeof RULES, 'error' | 'off'>>): Promise<string[]> {
  const config = await createConfig({ extends: ['spec'], rules })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`)
}

describe('an OpenAPI validator', () => {
  it('finds nothing in docs/openapi.json, its examples included', async () => {
    expect(await problemsOf(makeOpenapi(), RULES)).toEqual([])
  }, 60_000)

  it('finds no fault of form in docs/pull-openapi.json', async () => {
    expect(await problemsOf(pullOpenapi(), { 'no-invalid-media-type-examples': 'error' })).toEqual([])
  }, 60_000)

  it('finds an example that its schema does not take', async () => {
    const document = JSON.parse(makeOpenapi())
    document.paths['/orders'].post.responses['201'].content['application/json'].examples.recorded.value.status = 7
    // Each way in which the value could be meant is a problem of its own.
    const problems = await problemsOf(JSON.stringify(document), RULES)
    expect(problems).toContainEqual(expect.stringMatching(/^no-invalid-media-type-examples .*\/status: /))
    expect(problems.filter((problem) => !/^no-invalid-media-type-examples .*\/status: /.test(problem))).toEqual([])
  }, 60_000)
})
