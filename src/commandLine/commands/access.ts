import type { Command } from 'commander'
import type { LoginOptions } from '../access/login.ts'
import { does } from '../define.ts'

/** `login`, `whoami` and `doctor`. */
export function addAccess(program: Command): void {
  does<LoginOptions>(
    program
      .command('login')
      .description('check a token, and keep it in a profile that only you can read')
      .option('--as <tenant>', 'take the address and the token of this tenant from the credentials file of a sandbox')
      .option('--credentials <file>', 'the credentials file of a sandbox', '.data/credentials.json'),
    [
      'order-marketplace login --url https://marketplace.example --token "$TOKEN"',
      'order-marketplace login --as northlight-media --profile buyer',
    ],
    async (session, options) => (await import('../access/login.ts')).login(session, options),
  )
  does(
    program.command('whoami').description('say whose token this is, and what it may do'),
    ['order-marketplace whoami'],
    async (session) => (await import('../access/whoami.ts')).whoami(session),
  )
  does(
    program.command('doctor').description('check address, token, scopes, clocks, webhook endpoints and the conformance level'),
    ['order-marketplace doctor'],
    async (session) => (await import('../access/doctor.ts')).doctor(session),
  )
}
