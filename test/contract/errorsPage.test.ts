import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { ErrorEnvelope } from '../../src/contract/errorEnvelope.ts'
import { ERROR_GUIDE } from '../../src/contract/errorGuide.ts'
import {
  ENTRY_ERRORS,
  ENTRY_WARNINGS,
  ERRORS,
  type ErrorCode,
  ORDER_WARNINGS,
  PROFILE_WARNING,
  UPLOAD_WARNING,
} from '../../src/contract/vocabulary/codes.ts'
import { EDI_WARNINGS } from '../../src/contract/vocabulary/edi.ts'
import { makeErrorsPage } from '../../tools/docs/makeErrorsPage.ts'
import { errorExample } from '../../tools/docs/operationErrors.ts'

const ROOT = new URL('../../', import.meta.url)
const codes = Object.keys(ERRORS) as ErrorCode[]

describe('docs/contract/error-codes.md', () => {
  it('has every code of an error, an entry and a warning', () => {
    const page = makeErrorsPage()
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
    expect([...page.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code)).toEqual(codes)
    expect(rows.sort()).toEqual(
      [...ENTRY_ERRORS, ...ENTRY_WARNINGS, ...ORDER_WARNINGS, ...EDI_WARNINGS, PROFILE_WARNING, UPLOAD_WARNING].sort(),
    )
  })

  it('shows envelopes of the specification', () => {
    for (const code of codes) expect(ErrorEnvelope.parse(errorExample(code)).error_code).toBe(code)
  })

  it('shows messages that the code sends', async () => {
    const sent = await messages()
    const unknown = codes.filter((code) => !sent.some((form) => form.test(ERROR_GUIDE[code].example.error_message)))
    expect(unknown).toEqual([])
  })
})

/** Every literal of the source that may be a message, with anything where the template has a value. */
async function messages(): Promise<RegExp[]> {
  const files = await Promise.all(
    ['src', 'api'].map(async (room) => (await readdir(new URL(`${room}/`, ROOT), { recursive: true })).map((path) => `${room}/${path}`)),
  )
  const sources = files.flat().filter((path) => path.endsWith('.ts') && path !== 'src/contract/errorGuide.ts')
  const texts = await Promise.all(sources.map((path) => readFile(new URL(path, ROOT), 'utf8')))
  const literals = texts.flatMap((text) =>
    [...text.matchAll(/'((?:[^'\n\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) => plain ?? template ?? ''),
  )
  return literals.filter((literal) => literal.replace(VALUE, '').length >= 10 && literal.includes(' ')).map(formOf)
}

const VALUE = /\$\{(?:[^{}]|\{[^}]*\})*\}/

function formOf(literal: string): RegExp {
  const fixed = literal.split(new RegExp(VALUE, 'g')).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${fixed.join('.+')}$`)
}
