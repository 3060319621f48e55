import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { isMailAddress } from '../contract/mailAddress.ts'
import { isThisMachine, mustBe, port } from './forms.ts'
import { VARIABLE_GUIDE } from './guide.ts'

/** How order mails are sent. */
export interface MailSettings {
  readonly server: SmtpServer
  readonly from: string
  /** The domain of return paths, to which bounces go; if undefined, bounces go to `from`, and no program reads them. */
  readonly bounceDomain: string | undefined
  readonly dkim: DkimSettings | undefined
}

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Encryption by STARTTLS, by TLS from the first byte, or none, which is only for a server on this machine. */
  readonly tls: 'starttls' | 'implicit' | 'off'
  readonly auth: { readonly user: string; readonly password: string } | undefined
}

export interface DkimSettings {
  readonly domain: string
  readonly selector: string
  readonly keyFile: string
}

const DKIM_FAULT = 'Startup also fails unless `DKIM_DOMAIN`, `DKIM_SELECTOR` and `DKIM_KEY_FILE` are set together.'

export const MAIL = z.object({
  SMTP_URL: z
    .string()
    .trim()
    // The sentence does not repeat the value, which may contain a password.
    .transform((text, context) => {
      const server = parseSmtpUrl(text)
      if (server === undefined)
        context.addIssue({ code: 'custom', message: 'SMTP_URL must be a URL such as smtps://user:password@smtp.example.com:465.' })
      return server
    })
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'The mail server that takes order mails, see [Setting mail up](mail.md). `smtps` is TLS from the first byte (port 465), ' +
        '`smtp` is STARTTLS (port 587). Its certificate is verified; `NODE_EXTRA_CA_CERTS` names a CA of your own.',
      unset: 'in the sandbox the mailbox of `npm start`; in production no mail is sent, and `edi` of an agreement is 422',
      readBy: ['start', 'API', 'worker'],
      fault: 'Startup also fails without `MAIL_FROM`. While the server is away mails wait.',
    }),
  SMTP_TLS: z
    .enum(['required', 'off'], { error: mustBe('SMTP_TLS', 'required or off') })
    .default('required')
    .register(VARIABLE_GUIDE, {
      about: 'Whether mails and the password go encrypted only.',
      readBy: ['start', 'API', 'worker'],
      fault: '`off` is for an `smtp` server on this machine (127.0.0.0/8, ::1, localhost); else startup fails.',
    }),
  MAIL_FROM: z
    .string()
    .trim()
    .refine(isMailAddress, { error: mustBe('MAIL_FROM', 'one mail address such as orders@marketplace.example') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The address that order mails come from.',
      unset: '`orders@marketplace.example` in the sandbox without `SMTP_URL`',
      readBy: ['start', 'API', 'worker'],
    }),
  MAIL_BOUNCE_DOMAIN: z
    .string()
    .trim()
    .refine(isReturnPathDomain, { error: mustBe('MAIL_BOUNCE_DOMAIN', 'a domain such as bounces.marketplace.example') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The domain of the return paths of order mails. Its MX record leads to the bounce server.',
      unset: 'bounces go to `MAIL_FROM`, and the marketplace does not learn of them',
      readBy: ['start', 'worker', 'bounces'],
    }),
  MAIL_INBOUND_PORT: port('MAIL_INBOUND_PORT').register(VARIABLE_GUIDE, {
    about: 'The port of the bounce server, on the address of `HOST`.',
    unset: 'no bounce server runs',
    readBy: ['start', 'bounces'],
    fault: 'Startup also fails without `MAIL_BOUNCE_DOMAIN`, or if another program uses the port.',
  }),
  DKIM_DOMAIN: z
    .string()
    .trim()
    .refine(isDomain, { error: mustBe('DKIM_DOMAIN', 'a domain such as marketplace.example') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The domain that signs order mails.',
      unset: 'mails are not signed here',
      readBy: ['start', 'worker'],
      fault: DKIM_FAULT,
    }),
  DKIM_SELECTOR: z
    .string()
    .trim()
    .refine((text) => isDomain(`${text}.example`), {
      error: mustBe('DKIM_SELECTOR', 'made of letters, digits, hyphens and dots, such as orders-2027'),
    })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The name of the key in DNS: `{selector}._domainkey.{domain}`.',
      unset: 'mails are not signed here',
      readBy: ['start', 'worker'],
      fault: DKIM_FAULT,
    }),
  DKIM_KEY_FILE: z
    .string()
    .trim()
    .refine(isAbsolute, { error: mustBe('DKIM_KEY_FILE', 'the absolute path of a file, such as /etc/marketplace/dkim.pem') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The file of the RSA private key, in PEM without a passphrase, as `openssl genrsa 2048` writes it.',
      unset: 'mails are not signed here',
      readBy: ['start', 'worker'],
      fault: `${DKIM_FAULT} The worker and \`npm start\` also fail if the file cannot be read or holds another key.`,
    }),
})

/** Returns how mails are sent; undefined without SMTP_URL, and if `refuseHalfSetMail` finds a fault. */
export function mailSettings(env: z.infer<typeof MAIL>): MailSettings | undefined {
  const { SMTP_URL: server, SMTP_TLS, MAIL_FROM: from, DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_KEY_FILE: keyFile } = env
  if (server === undefined || from === undefined) return undefined
  return {
    server: SMTP_TLS === 'off' ? { ...server, tls: 'off' } : server,
    from,
    bounceDomain: env.MAIL_BOUNCE_DOMAIN,
    dkim: domain === undefined || selector === undefined || keyFile === undefined ? undefined : { domain, selector, keyFile },
  }
}

export function refuseHalfSetMail(env: z.infer<typeof MAIL>, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message })
  const { SMTP_URL: server } = env
  if (server !== undefined && env.MAIL_FROM === undefined)
    refuse('MAIL_FROM must be set when SMTP_URL is: it is the address that order mails come from.')
  if (server !== undefined && env.SMTP_TLS === 'off' && !(server.tls === 'starttls' && isThisMachine(server.host)))
    refuse('SMTP_TLS must be required unless SMTP_URL is an smtp:// server on this machine, such as smtp://127.0.0.1:25.')
  const dkim = (['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_KEY_FILE'] as const).filter((name) => env[name] === undefined)
  if (dkim.length === 1 || dkim.length === 2)
    refuse(`DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE must be set together; ${dkim.join(' and ')} is not set.`)
  if (env.MAIL_INBOUND_PORT !== undefined && env.MAIL_BOUNCE_DOMAIN === undefined)
    refuse('MAIL_BOUNCE_DOMAIN must be set when MAIL_INBOUND_PORT is: it is the domain whose mail that port takes.')
}

function parseSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const tls = TLS_BY_SCHEME.get(url.protocol)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (tls === undefined || !isHost(host) || !['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  if ((url.username === '') !== (url.password === '') || url.port === '0') return undefined
  try {
    const auth = url.username === '' ? undefined : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
    return { host, port: url.port === '' ? STANDARD_PORT[tls] : Number(url.port), tls, auth }
  } catch {
    return undefined // an encoding by percent signs that cannot be decoded
  }
}

const TLS_BY_SCHEME = new Map<string, 'implicit' | 'starttls'>([
  ['smtps:', 'implicit'],
  ['smtp:', 'starttls'],
])
const STANDARD_PORT = { implicit: 465, starttls: 587 }

function isHost(host: string): boolean {
  return isIP(host) !== 0 || /^[A-Za-z0-9._-]{1,253}$/.test(host)
}

function isDomain(text: string): boolean {
  return isMailAddress(`x@${text}`)
}

/** Returns true if addresses as long as return paths are valid in the domain (`src/adapters/mail/bounceToken.ts`). */
function isReturnPathDomain(text: string): boolean {
  return isMailAddress(`${'x'.repeat(64)}@${text}`)
}
