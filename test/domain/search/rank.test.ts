import { describe, expect, it } from '@jest/globals'
import { bestOf, matchOf, wordsOf } from '../../../src/domain/search/rank.ts'

describe('a search', () => {
  it('has each word once, in lower case', () => {
    expect(wordsOf('  Monday  FOOTBALL monday ')).toEqual(['monday', 'football'])
  })

  it('needs every word, in any text and any order', () => {
    const texts = ['Monday Night Football', 'CBL', undefined]
    expect(matchOf(['foot', 'cbl'], texts)).toBeDefined()
    expect(matchOf(['foot', 'tuesday'], texts)).toBeUndefined()
    expect(matchOf(['100%_'], texts)).toBeUndefined()
  })

  it('says what the words were found in', () => {
    expect(matchOf(['night', 'foot'], ['po-night', 'Monday Night Football'])?.text).toBe('Monday Night Football')
  })

  it('ranks a whole text, a beginning, the beginning of a word, and then any place; of equals the first', () => {
    const things = ['the xnews', 'late news', 'news at ten', 'news', 'early news']
    expect(bestOf(things, ['news'], (text) => [text], 4).map(({ thing }) => thing)).toEqual([
      'news',
      'news at ten',
      'late news',
      'early news',
    ])
  })
})
