import { describe, expect, it } from '@jest/globals'
import { requestMembers, takes } from '../support/requestMembers.ts'

/** The agency's text, which is kept as it is (choices, Identifiers). */
const VERBATIM = 'estimate_id'
const isId = (name: unknown) => typeof name === 'string' && /(^id|_ids?)$/.test(name) && name !== VERBATIM
const IDS = requestMembers(({ type }, path) => type === 'string' && (isId(path.at(-1)) || (path.at(-1) === 0 && isId(path.at(-2)))))

describe('the identifiers of every request', () => {
  it('are found', () => {
    expect(IDS.length).toBeGreaterThan(30)
  })

  it.each(IDS)('%s takes %s of at most 200 characters, in one line', (_operation, _path, body, found) => {
    const max = found.path.at(-1) === 'drop_id' ? 128 : 200 // a drop's is also the name of a folder
    expect(takes(body, found, 'x'.repeat(max))).toBe(true)
    expect(takes(body, found, 'x'.repeat(max + 1))).toBe(false)
    expect(takes(body, found, 'x\ny')).toBe(false)
  })
})
