import { describe, expect, it } from '@jest/globals'
import {
  databaseFault,
  isDatabaseAway,
  isOrderMoved,
  isOrderOutdated,
  isStatementTooLong,
} from '../../../src/store/connection/databaseFault.ts'

const failure = (code: string, message = '') => Object.assign(new Error(message), { code })

describe('a database that is away', () => {
  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', '08006', '53100', '53300', '57P01', '57P03', '25006'])(
    'is one that fails with %s',
    (code) => expect(isDatabaseAway(failure(code))).toBe(true),
  )

  it('is one that lost the connection without a code', () => {
    expect(isDatabaseAway(new Error('Connection terminated unexpectedly'))).toBe(true)
  })

  it.each(['23505', '42601', '22P02', '0A000', 'ENOENT', 'ENOSPC'])('is not one that fails with %s', (code) => {
    expect(isDatabaseAway(failure(code))).toBe(false)
    expect(databaseFault(failure(code))).toBeUndefined()
  })
})

describe('a statement that took too long', () => {
  it('is not the absence of a database', () => {
    expect([isStatementTooLong(failure('57014')), isDatabaseAway(failure('57014'))]).toEqual([true, false])
    expect([isStatementTooLong(failure('57P01')), isDatabaseAway(failure('57P01'))]).toEqual([false, true])
  })
})

describe('what the user sees when startup fails', () => {
  it.each([
    [
      'ECONNREFUSED',
      '',
      /^The database does not answer \(ECONNREFUSED\): start the marketplace first \(npm start\), or correct DATABASE_URL\.$/,
    ],
    [
      '28P01',
      'password authentication failed for user "shop"',
      /^The database does not answer \(password .*\): .* correct DATABASE_URL\.$/,
    ],
    ['42883', 'function admit_scope_key(unknown, unknown) does not exist', /^The database has no schema of this service yet: .+\.$/],
    ['22023', 'role "marketplace_app" does not exist', /^The database has no schema of this service yet: .+\.$/],
    ['42501', 'permission denied to create role', /^The user of DATABASE_URL lacks a right \(permission denied to create role\): .+\.$/],
  ])('%s "%s" is one sentence', (code, message, sentence) => {
    expect(databaseFault(failure(code, message))).toMatch(sentence)
  })

  it('is nothing for errors that do not come from the database', () => {
    for (const other of [new TypeError('x is undefined'), 'a text', undefined, null]) expect(databaseFault(other)).toBeUndefined()
  })
})

describe('a statement that has found the world changed', () => {
  it('has an SQLSTATE of our own, and is not a fault of the database', () => {
    expect(isOrderMoved(failure('OM001'))).toBe(true)
    expect(isOrderOutdated(failure('OM002'))).toBe(true)
    for (const code of ['OM001', 'OM002']) {
      expect(databaseFault(failure(code))).toBeUndefined()
      expect(isDatabaseAway(failure(code))).toBe(false)
    }
  })

  it('is not one that divides by zero', () => {
    expect(isOrderMoved(failure('22012'))).toBe(false)
    expect(isOrderOutdated(failure('22012'))).toBe(false)
  })
})
