import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { buyerSuite } from '../../src/conform/buyer/stories.ts'
import type { BuyerWorld } from '../../src/conform/buyer/world.ts'
import { pullSuite } from '../../src/conform/pull/stories.ts'
import { badgeSvg, earned } from '../../src/conform/report/badge.ts'
import { junitOf } from '../../src/conform/report/junit.ts'
import { linesOf, summaryOf } from '../../src/conform/report/table.ts'
import { isDone, runSuite } from '../../src/conform/runSuite.ts'
import { sellerSuite } from '../../src/conform/seller/stories.ts'
import type { SellerWorld } from '../../src/conform/seller/world.ts'
import { FixtureUnsatisfied, type Holds, NotApplicable, NotHeld, type Story, type StoryResult } from '../../src/conform/story.ts'
import { webhookSuite } from '../../src/conform/webhook.ts'
import { ROOT } from '../support/files/samples.ts'

const story = (id: string, run: (holds: Holds) => Promise<void>, level?: number): Story<null> => ({
  ...{ id, title: `Of ${id} <&">`, link: 'docs/contract/states.md#decide', ...(level !== undefined && { level }) },
  run: (_, holds) => run(holds),
})
const missing = () => {
  throw new FixtureUnsatisfied('nothing is sold', 'publish')
}

const STORIES = [
  story('one.passes', async (holds) => holds('it holds', () => undefined)),
  story('one.fails', async (holds) => {
    await holds('the first holds', () => undefined)
    await holds('the second holds', () => {
      throw new NotHeld('it is 2 & not 1', 'make it 1')
    })
  }),
  story('one.is_known', (holds) => holds('it holds', () => Promise.reject(new NotHeld('no', 'yes')))),
  story('one.is_not_done', (holds) => holds('it holds', () => Promise.reject(new NotApplicable('it has no holds')))),
  story('one.has_no_fixture', (holds) => holds('there is something', missing)),
  story('one.began_and_failed', async (holds) => {
    await holds('it begins', () => undefined)
    await holds('there is something', missing)
  }),
  story('one.is_broken', (holds) => holds('it holds', () => Promise.reject(new TypeError('of the runner')))),
]

describe('a run', () => {
  const run = (options = {}) => runSuite({ name: 'one', target: 'somebody', stories: STORIES, world: null }, options)

  it('grades each story; a setup that began and failed is a failure', async () => {
    const report = await run({ knownFailing: ['one.is_known'] })
    expect(Object.fromEntries(report.stories.map(({ id, grade }) => [id, grade]))).toEqual({
      'one.passes': 'passed',
      'one.fails': 'failed',
      'one.is_known': 'known_failing',
      'one.is_not_done': 'not_applicable',
      'one.has_no_fixture': 'fixture_unsatisfied',
      'one.began_and_failed': 'failed',
      'one.is_broken': 'runner_error',
    })
    expect(isDone(report)).toBe(false)
  })

  it('is done only by what passed, is not applicable or is known to fail', async () => {
    const only = ['one.passes', 'one.is_known', 'one.is_not_done']
    expect(isDone(await run({ only, knownFailing: ['one.is_known'] }))).toBe(true)
    for (const id of ['one.fails', 'one.has_no_fixture', 'one.is_broken']) expect(isDone(await run({ only: [id] }))).toBe(false)
  })

  it('names step, cause, fix and rule of what did not pass', async () => {
    const { stories } = await run({ only: ['one.fails'] })
    const [failed] = stories as [StoryResult]
    expect(
      linesOf(failed)
        .split('\n')
        .map((line) => line.trim().replace(/ {2,}/g, ' ')),
    ).toEqual([
      'FAILED one.fails Of one.fails <&">',
      'step the second holds',
      'cause it is 2 & not 1',
      'fix make it 1',
      'rule docs/contract/states.md#decide',
      '',
    ])
  })

  it('writes JUnit that counts failures, errors and what is skipped', async () => {
    const xml = junitOf(await run({ knownFailing: ['one.is_known'] }))
    expect(xml).toContain('tests="7" failures="2" errors="2" skipped="2"')
    expect(xml).toContain(
      '<failure message="it is 2 &amp; not 1">the second holds&#10;it is 2 &amp; not 1&#10;make it 1&#10;docs/contract/',
    )
    expect(xml.match(/<testcase /g)).toHaveLength(7)
  })

  it('ends with a sentence', async () => {
    expect(summaryOf(await run({ only: ['one.passes'] }))).toContain('somebody: done')
    expect(summaryOf(await run())).toContain('somebody: not done')
  })
})

describe('a badge', () => {
  const graded = (...grades: [number, StoryResult['grade']][]) =>
    grades.map(([level, grade], index) => ({ ...{ id: `${index}`, title: '', link: '', steps: [], seconds: 0 }, level, grade }))

  it.each<[string, [number, StoryResult['grade']][], number, number | null]>([
    [
      'each level by its stories alone',
      [
        [0, 'passed'],
        [1, 'passed'],
        [2, 'failed'],
      ],
      4,
      1,
    ],
    [
      'not above what is declared',
      [
        [0, 'passed'],
        [1, 'passed'],
      ],
      0,
      0,
    ],
    [
      'not above one that is missing',
      [
        [0, 'passed'],
        [1, 'not_applicable'],
        [2, 'passed'],
      ],
      4,
      0,
    ],
    [
      'none',
      [
        [0, 'failed'],
        [1, 'passed'],
      ],
      4,
      null,
    ],
    [
      'not by what is known to fail',
      [
        [0, 'passed'],
        [0, 'known_failing'],
      ],
      4,
      null,
    ],
  ])('is earned: %s', (_, grades, declared, level) => {
    expect(earned(graded(...grades), declared, '2026-11-29')).toEqual({ level, date: '2026-11-29' })
  })

  it('is a picture that says level and date', () => {
    expect(badgeSvg({ level: 2, date: '2026-11-29' })).toContain('aria-label="Order Marketplace: level 2, 2026-11-29"')
  })
})

describe('the stories of every suite', () => {
  const stories = [
    ...sellerSuite({} as SellerWorld).stories,
    ...buyerSuite({} as BuyerWorld).stories,
    ...webhookSuite({ url: '', secret: '' }).stories,
    ...pullSuite({ outbound: {} as never, base_url: '', secret: '' }).stories,
  ]

  it('have ids of their own, and a link to a heading that exists', async () => {
    expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length)
    for (const { id, link } of stories) {
      const [page = '', anchor] = link.split('#')
      const headings = [...(await readFile(join(ROOT, page), 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
      const anchors = headings.map((heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(/\s/g, '-'),
      )
      expect({ id, exists: anchors.includes(anchor ?? '') }).toEqual({ id, exists: true })
    }
  })

  it('are all on the page of conformance', async () => {
    const page = await readFile(join(ROOT, 'docs/build/conformance.md'), 'utf8')
    expect(stories.filter(({ id, title }) => !page.includes(`| \`${id}\` |`) || !page.includes(title)).map(({ id }) => id)).toEqual([])
  })

  it('name no id of a tenant, a product or an order', async () => {
    const folder = join(ROOT, 'src/conform')
    for (const name of (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts')))
      expect({ name, ids: (await readFile(join(folder, name), 'utf8')).match(/sandbox-tv|sbx-|summit|northlight/g) }).toEqual({
        name,
        ids: null,
      })
  })
})
