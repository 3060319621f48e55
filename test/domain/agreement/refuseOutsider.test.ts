import { describe, expect, it } from '@jest/globals'
import { refuseOutsider } from '../../../src/domain/agreement/refuseOutsider.ts'

const refusing =
  (...args: Parameters<typeof refuseOutsider>) =>
  () =>
    refuseOutsider(...args)

describe('refuseOutsider', () => {
  it('refuses a suspended buyer, allowlisted or not', () => {
    const forbidden = { code: 'FORBIDDEN', message: 'zenith has suspended this buyer.' }
    for (const allowlisted of [true, false]) {
      expect(refusing('zenith', { access: 'open' }, { status: 'suspended', allowlisted })).toThrow(expect.objectContaining(forbidden))
    }
  })

  it('refuses a buyer that is not on the allowlist of a seller that has one', () => {
    const forbidden = { code: 'FORBIDDEN', message: 'This buyer is not on the allowlist of zenith.' }
    const stranger = { status: 'active', allowlisted: false } as const
    expect(refusing('zenith', { access: 'allowlist' }, stranger)).toThrow(expect.objectContaining(forbidden))
    expect(refusing('zenith', { access: 'open' }, stranger)).not.toThrow()
  })

  it('lets everybody else pass, and leaves an unknown seller to the checks that name it', () => {
    expect(refusing('zenith', { access: 'allowlist' }, { status: 'active', allowlisted: true })).not.toThrow()
    expect(refusing('zenith', undefined, { status: 'active', allowlisted: false })).not.toThrow()
  })
})
