import { appendFileSync } from 'node:fs'

/** Adds a row to the table that `npm run attack` prints at its end: the attack and its figures. */
export function report(attack: string, figures: Readonly<Record<string, string | number>>): void {
  const file = process.env.ATTACK_TABLE
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ attack, figures })}\n`)
}
