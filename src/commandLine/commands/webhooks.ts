import type { Command } from 'commander'
import { does } from '../define.ts'
import type { VerifyOptions } from '../webhooks/verify.ts'

/** `webhooks verify`. */
export function addWebhooks(program: Command): void {
  does<VerifyOptions, [string]>(
    program
      .command('webhooks')
      .description('work on a receiver of webhooks')
      .command('verify <file>')
      .description('check the signature of a request that was kept in a file, and say which step fails')
      .requiredOption('--secret <secret>', 'the secret of the endpoint, as whsec_…')
      .option('--at <time>', 'the UTC time at which it arrived; now if left out'),
    ['order-marketplace webhooks verify request.http --secret "$WEBHOOK_SECRET" --at 2027-02-01T09:30:00Z'],
    async (session, options, file) => (await import('../webhooks/verify.ts')).verify(session, options, file),
  )
}
