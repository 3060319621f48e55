import { checkInvariants } from './invariants.ts'

/** `node --import tsx test/support/invariants/checkInvariants.ts <database url>`: exits with 1 if a promise is broken, and names each. */
const [databaseUrl] = process.argv.slice(2)
if (databaseUrl === undefined) {
  console.error('Say which database: checkInvariants.ts <database url>')
  process.exit(2)
}
const violations = await checkInvariants(databaseUrl)
for (const { invariant, order_id, problem } of violations) console.log([invariant, order_id, problem].filter(Boolean).join('  '))
console.log(violations.length === 0 ? 'Every invariant holds.' : `${violations.length} violations.`)
process.exitCode = violations.length === 0 ? 0 : 1
