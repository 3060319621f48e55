import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { FILE } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { REPLIES } from '../../tools/docs/openapiExamples.ts'
import { type Recording, recordReplies } from '../support/replies/recordReplies.ts'
import { timeless } from '../support/replies/stable.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
let recording: Recording
beforeAll(async () => {
  recording = await recordReplies(app)
})

describe('docs/examples/replies', () => {
  it('has a reply for every operation and every success status with a body of JSON', () => {
    const statuses = ENDPOINTS.map(({ name, replies }) => {
      return [name, Object.keys(replies).filter((status) => status !== '204' && replies[Number(status)] !== FILE)] as const
    })
    const { events: _, ...replies } = recording
    const recorded = Object.entries(replies).map(([name, byStatus]) => [name, Object.keys(byStatus)])
    expect(Object.fromEntries(recorded)).toEqual(Object.fromEntries(statuses.filter(([, left]) => left.length > 0)))
  })

  it('has a file for each of them, and no other', async () => {
    expect((await readdir(REPLIES)).sort()).toEqual(
      Object.keys(recording)
        .map((name) => `${name}.json`)
        .sort(),
    )
  })

  it('matches what the service answers now; `npm run docs:replies` records it again', async () => {
    for (const [name, byStatus] of Object.entries(recording)) {
      const stored = JSON.parse(await readFile(new URL(`${name}.json`, REPLIES), 'utf8'))
      expect({ name, byStatus: timeless(stored) }).toEqual({ name, byStatus: timeless(byStatus) })
    }
  })
})
