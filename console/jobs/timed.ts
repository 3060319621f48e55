import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

export interface Job {
  readonly name: string
  readonly keys: number
  readonly clicks: number
  readonly seconds: number
  /** What went wrong in the page, and answers that a person would see as a failure. */
  readonly errors: readonly string[]
}

/**
 * Does a job and counts the keys, the clicks and the seconds that it takes, and what goes wrong meanwhile. A text that is typed counts as one key:
 * it is as long as what a person calls things.
 */
export async function timed(name: string, page: Page, run: (hand: Hand) => Promise<void>): Promise<Job> {
  const counts = { keys: 0, clicks: 0 }
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('response', (response) => {
    if (response.status() >= 500) errors.push(`${response.request().method()} ${new URL(response.url()).pathname}: ${response.status()}`)
  })
  const begin = Date.now()
  await run({
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
      counts.keys += keys.length
    },
    type: async (text) => {
      await page.keyboard.type(text)
      counts.keys += 1
    },
    click: async (control) => {
      await control.click()
      counts.clicks += 1
    },
    choose: async (control, value) => {
      await control.selectOption(value)
      counts.clicks += 1
    },
    fill: async (control, text) => {
      await control.fill(text)
      counts.clicks += 1
      counts.keys += 1
    },
  })
  return { name, ...counts, seconds: Math.round((Date.now() - begin) / 100) / 10, errors }
}

/** What a person does with keys and the mouse. */
export interface Hand {
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  click(control: { click(): Promise<void> }): Promise<void>
  choose(control: { selectOption(value: string | { index: number }): Promise<unknown> }, value: string | { index: number }): Promise<void>
  fill(control: { fill(text: string): Promise<void> }, text: string): Promise<void>
}

const DOCUMENT = new URL('../../docs/console.md', import.meta.url)
const [BEGIN, END] = ['<!-- jobs -->', '<!-- end of jobs -->']

/** Writes the jobs as the table of docs/console.md. */
export function write(jobs: readonly Job[]): void {
  const rows = jobs.map(({ name, keys, clicks, seconds, errors }) => `| ${name} | ${keys} | ${clicks} | ${seconds} | ${errors.length} |`)
  const table = ['| Job | Keys | Clicks | Seconds | Errors |', '|---|---|---|---|---|', ...rows].join('\n')
  const text = readFileSync(DOCUMENT, 'utf8')
  const [before, after] = [text.slice(0, text.indexOf(BEGIN) + BEGIN.length), text.slice(text.indexOf(END))]
  writeFileSync(DOCUMENT, `${before}\n${table}\n${after}`)
}
