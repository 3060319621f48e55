import { appendFileSync } from 'node:fs'

/** Adds a row, with the attack and its figures, to the table that `npm run attack` prints at its end. */
export function report(attack: string, figures: Readonly<Record<string, string | number>>): void {
  const file = process.env.ATTACK_TABLE
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ attack, figures })}\n`)
}
