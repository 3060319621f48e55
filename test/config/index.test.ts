import { describe, expect, it } from '@jest/globals'
import { ConfigFault, readConfig } from '../../src/config/index.ts'

const SIGN_ON = { OIDC_ISSUER: 'https://login.example.com', OIDC_AUDIENCE: 'api' }
const DATABASE = 'postgres://user:secret@db.example.com:5432/marketplace'

describe('readConfig: defaults', () => {
  it('is a sandbox on this machine alone when nothing is set', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'sandbox',
      port: 8080,
      portAskedFor: false,
      host: '127.0.0.1',
      allowLoopbackTargets: true,
    })
  })

  it('is production, open to other machines, when a database is given', () => {
    expect(readConfig({ DATABASE_URL: DATABASE })).toMatchObject({ mode: 'production', host: '0.0.0.0', allowLoopbackTargets: false })
  })

  it('lets MODE overrule what the database implies', () => {
    expect(readConfig({ DATABASE_URL: DATABASE, MODE: 'sandbox' })).toMatchObject({ mode: 'sandbox', host: '127.0.0.1' })
  })

  it('remembers that a port was asked for, even the default one', () => {
    expect(readConfig({ PORT: '8080' })).toMatchObject({ port: 8080, portAskedFor: true })
  })

  it('takes an empty value for none', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 8080, portAskedFor: false, databaseUrl: undefined })
  })

  it('takes uploads up to 25 MiB, keeps them for three days, and 200 a day; 0 is no share', () => {
    expect(readConfig({}).uploads).toEqual({ maxBytes: 26_214_400, ttlHours: 72, perDay: 200 })
    const set = { UPLOAD_MAX_BYTES: '1024', UPLOAD_TTL_HOURS: '1', UPLOADS_PER_DAY: '0' }
    expect(readConfig(set).uploads).toEqual({ maxBytes: 1024, ttlHours: 1, perDay: 0 })
  })

  it('keeps uploads and drops in directories of DATA_DIR, elsewhere when URLs say so', () => {
    const { objects, drops } = readConfig({ DATA_DIR: '/srv' })
    expect([objects, drops]).toEqual([
      { kind: 'directory', path: '/srv/objects' },
      { kind: 'directory', path: '/srv/drops' },
    ])
    const s3 = { kind: 's3', bucket: 'b-1', prefix: '', region: undefined, endpoint: undefined, pathStyle: false }
    const read = (OBJECTS_URL: string) => readConfig({ OBJECTS_URL }).objects
    expect(read('file:///mnt/uploads/')).toEqual({ kind: 'directory', path: '/mnt/uploads' })
    expect(read('s3://b-1')).toEqual(s3)
    expect(read('s3://b-1/')).toEqual(s3)
    expect(read('s3://b-1/a/b/?region=eu-west-1')).toEqual({ ...s3, prefix: 'a/b/', region: 'eu-west-1' })
    const elsewhere = { ...s3, prefix: 'a/', endpoint: 'https://minio:9000', pathStyle: true }
    expect(read('s3://b-1/a?endpoint=https://minio:9000')).toEqual(elsewhere)
    expect(read('s3://b-1/a?endpoint=https%3A%2F%2Fminio%3A9000&path_style=false')).toEqual({ ...elsewhere, pathStyle: false })
  })

  it('has traces where an endpoint for them is set, unless OpenTelemetry is switched off', () => {
    const set = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    expect(readConfig(set).tracesUrl).toBe('http://collector:4318')
    expect(readConfig({ ...set, OTEL_SDK_DISABLED: 'false' }).tracesUrl).toBe('http://collector:4318')
    for (const OTEL_SDK_DISABLED of ['true', 'True']) expect(readConfig({ ...set, OTEL_SDK_DISABLED }).tracesUrl).toBeUndefined()
    const wrong = () => readConfig({ ...set, OTEL_SDK_DISABLED: 'yes' })
    expect(wrong).toThrow(new ConfigFault('OTEL_SDK_DISABLED must be true or false; it is "yes".'))
  })

  it('bounds the traces of each endpoint, unless a sampler of OpenTelemetry is named', () => {
    expect(readConfig({}).tracesPerEndpoint).toEqual({ perSecond: 5, burst: 20 })
    expect(readConfig({ OTEL_TRACES_SAMPLER: ' ' }).tracesPerEndpoint).toEqual({ perSecond: 5, burst: 20 })
    expect(readConfig({ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }).tracesPerEndpoint).toBeUndefined()
    expect(() => readConfig({ OTEL_TRACES_SAMPLER: 'all' })).toThrow(/^OTEL_TRACES_SAMPLER must be one of always_on, /)
  })

  it('makes DATA_DIR absolute', () => {
    expect(readConfig({ DATA_DIR: 'some/where' }).dataDir).toBe(`${process.cwd()}/some/where`)
  })
})

describe('readConfig: sign-on', () => {
  it('keeps the issuer as it is written, since tokens name it so', () => {
    expect(readConfig({})).toMatchObject({ signOn: undefined })
    const env = {
      ...SIGN_ON,
      OIDC_ISSUER: 'https://tenant.example.com/',
      OIDC_CLIENT_ID: 'console',
      PUBLIC_URL: 'https://orders.example.com',
    }
    expect(readConfig(env).signOn).toEqual({
      issuer: 'https://tenant.example.com/',
      audience: 'api',
      claims: { tenant: 'tenant', side: 'side', scope: 'scope' },
      createsTenants: false,
      client: { id: 'console', secret: undefined, scopes: 'openid profile', publicUrl: new URL('https://orders.example.com') },
    })
    expect(readConfig({ ...SIGN_ON, OIDC_ISSUER: 'http://127.0.0.1:3000' }).signOn?.client).toBeUndefined()
  })
})

describe('readConfig: faults', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535; it is "abc".'],
    [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535; it is "0".'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 1 to 65535; it is "65536".'],
    [{ PORT: '80.5' }, 'PORT must be a whole number from 1 to 65535; it is "80.5".'],
    [{ POSTGRES_PORT: '-1' }, 'POSTGRES_PORT must be a whole number from 1 to 65535; it is "-1".'],
    [{ TEMPORAL_PORT: '9', POSTGRES_PORT: '9' }, 'POSTGRES_PORT and TEMPORAL_PORT must differ; both are 9.'],
    [{ MODE: 'prod' }, 'MODE must be sandbox or production; it is "prod".'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; it is "loud".'],
    [{ ALLOW_LOOPBACK_TARGETS: 'yes' }, 'ALLOW_LOOPBACK_TARGETS must be true or false; it is "yes".'],
    [{ TEMPORAL_ADDRESS: 'temporal' }, 'TEMPORAL_ADDRESS must be host:port; it is "temporal".'],
    [{ TEMPORAL_ADDRESS: 'temporal:70000' }, 'TEMPORAL_ADDRESS must be host:port; it is "temporal:70000".'],
    [{ TEMPORAL_ADDRESS: 'temporal:0' }, 'TEMPORAL_ADDRESS must be host:port; it is "temporal:0".'],
    [
      { TEMPORAL_NAMESPACE: '../x' },
      'TEMPORAL_NAMESPACE must be made of at most 200 letters, digits, dots, dashes and underscores; it is "../x".',
    ],
    [{ RATE_LIMITS: '50' }, 'RATE_LIMITS must be on or off; it is "50".'],
    [{ SECRETS_KEY: 'secret' }, 'SECRETS_KEY must be 32 random bytes in base64, as openssl rand -base64 32 prints them.'],
    [{ UPLOAD_MAX_BYTES: '0' }, 'UPLOAD_MAX_BYTES must be a whole number from 1 to 9999999999; it is "0".'],
    [{ UPLOADS_PER_DAY: '-1' }, 'UPLOADS_PER_DAY must be a whole number from 0 to 9999999999; it is "-1".'],
    [{ UPLOAD_TTL_HOURS: '87601' }, 'UPLOAD_TTL_HOURS must be a whole number from 1 to 87600; it is "87601".'],
    [{ HOST: 'a b' }, 'HOST must be a host name or an address without port; it is "a b".'],
  ])('%j is refused in one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(new ConfigFault(sentence))
  })

  it.each([
    [
      { OIDC_ISSUER: 'https://login.example.com' },
      'OIDC_AUDIENCE must be set when OIDC_ISSUER is: it is what the aud of tokens must name.',
    ],
    [{ OIDC_AUDIENCE: 'api' }, 'OIDC_ISSUER must be set when OIDC_AUDIENCE is: it is the issuer whose tokens are accepted.'],
    [{ OIDC_CREATE_TENANTS: 'true' }, 'OIDC_ISSUER must be set when OIDC_CREATE_TENANTS is: it is the issuer whose tokens are accepted.'],
    [{ OIDC_CREATE_TENANTS: 'maybe' }, 'OIDC_CREATE_TENANTS must be true or false; it is "maybe".'],
    [{ OIDC_CLIENT_SECRET: 'hush' }, 'OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET is: it is the client whose secret that is.'],
    [{ OIDC_CLIENT_SECRET: 'hush hush' }, 'OIDC_CLIENT_SECRET must be one word of printable characters.'],
    [
      { ...SIGN_ON, OIDC_CLIENT_ID: 'console' },
      'PUBLIC_URL must be set when OIDC_CLIENT_ID is: it is where the issuer sends people back to.',
    ],
    [{ ...SIGN_ON, OIDC_SCOPES: 'profile' }, 'OIDC_SCOPES must be scopes with spaces between them, openid among them; it is "profile".'],
    [{ ...SIGN_ON, OIDC_TENANT_CLAIM: 'a b' }, 'OIDC_TENANT_CLAIM must be the name of a claim, without spaces; it is "a b".'],
  ])('%j is refused in one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(new ConfigFault(sentence))
  })

  it.each([
    'login.example.com',
    'http://login.example.com',
    'https://user:secret@login.example.com',
    'https://login.example.com/?a=b',
    'ftp://login',
  ])('OIDC_ISSUER %s stops the start', (OIDC_ISSUER) => {
    expect(() => readConfig({ ...SIGN_ON, OIDC_ISSUER })).toThrow(/^OIDC_ISSUER must be the https URL of an OpenID Connect issuer/)
  })

  it.each(['50', '0/10', '50/10', '5.5/10', 'a/b'])('RATE_LIMIT_ORDERS %s is refused in one sentence', (limit) => {
    const must = 'RATE_LIMIT_ORDERS must be two whole numbers from 1, how many a second and at least as many at once, such as 20/40'
    expect(() => readConfig({ RATE_LIMIT_ORDERS: limit })).toThrow(new ConfigFault(`${must}; it is "${limit}".`))
  })

  it.each(['rabbit', 'http://user:secret@host', 'amqp:/vhost', 'amqp://user:secret@host:99999'])(
    'AMQP_URL %s stops the start',
    (AMQP_URL) => {
      expect(() => readConfig({ AMQP_URL })).toThrow(/^AMQP_URL must be a URL such as [^ ]+\.$/)
    },
  )

  it.each([
    '/srv/drops',
    'bucket',
    'https://bucket/x',
    's3://',
    's3://Bucket',
    's3://b',
    's3://key:secret@bucket',
    's3://bucket:9000',
    's3://bucket/.hidden',
    's3://bucket/a//b',
    's3://bucket/ä',
    's3://bucket?regon=eu-west-1',
    's3://bucket?region=eu-west-1&region=eu-west-1',
    's3://bucket?region=EU',
    's3://bucket?endpoint=minio:9000',
    's3://bucket?endpoint=https://key:secret@minio',
    's3://bucket?path_style=yes',
    's3://bucket#x',
    'file://host/srv',
    'file:///srv?x=1',
    'file:///srv%2Fx',
  ])('DROPS_URL %s stops the start', (DROPS_URL) => {
    expect(() => readConfig({ DROPS_URL })).toThrow(/^DROPS_URL must be s3:\/\/bucket\/prefix\?[^ ]+ or file:\/\/\/directory\.$/)
  })

  it.each([
    { OBJECTS_URL: 's3://bucket/a', DROPS_URL: 's3://bucket/a' },
    { OBJECTS_URL: 's3://bucket/a', DROPS_URL: 's3://bucket' },
    { OBJECTS_URL: 's3://bucket/a', DROPS_URL: 's3://bucket/a/b?region=eu-west-1' },
    { OBJECTS_URL: 'file:///srv', DROPS_URL: 'file:///srv/drops' },
    { DATA_DIR: '/srv', DROPS_URL: 'file:///srv/objects' },
  ])('one store for two purposes stops the start: %j', (env) => {
    expect(() => readConfig(env)).toThrow(new ConfigFault('OBJECTS_URL and DROPS_URL must differ; neither may be within the other.'))
  })

  it('takes two prefixes of one bucket, and one prefix of two', () => {
    for (const DROPS_URL of ['s3://bucket/ab', 's3://other/a', 's3://bucket/a?endpoint=https://minio'])
      expect(readConfig({ OBJECTS_URL: 's3://bucket/a', DROPS_URL }).drops).toMatchObject({ kind: 's3' })
  })

  it('does not repeat a database URL, which holds a password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:secret@host/x' })).toThrow(/^DATABASE_URL must be a URL such as [^ ]+\.$/)
  })
})

describe('readConfig: mail', () => {
  const SMTP = { SMTP_URL: 'smtps://user:p%40ss@smtp.example.com', MAIL_FROM: 'orders@marketplace.example' }
  const DKIM = { DKIM_DOMAIN: 'marketplace.example', DKIM_SELECTOR: 'orders-2027', DKIM_KEY_FILE: '/etc/dkim.pem' }

  it('is not set up without SMTP_URL', () => {
    expect(readConfig({}).mail).toBeUndefined()
    expect(readConfig({ MAIL_FROM: SMTP.MAIL_FROM, MAIL_BOUNCE_DOMAIN: 'bounces.example.com', ...DKIM }).mail).toBeUndefined()
  })

  it('reads server, password and standard port of SMTP_URL, and encrypts', () => {
    const auth = { user: 'user', password: 'p@ss' }
    const server = (SMTP_URL: string, more = {}) => readConfig({ ...SMTP, SMTP_URL, ...more }).mail?.server
    expect(server(SMTP.SMTP_URL)).toEqual({ host: 'smtp.example.com', port: 465, tls: 'implicit', auth })
    expect(server('smtp://smtp.example.com')).toEqual({ host: 'smtp.example.com', port: 587, tls: 'starttls', auth: undefined })
    expect(server('smtp://user:p%40ss@[2001:db8::1]:25/')).toEqual({ host: '2001:db8::1', port: 25, tls: 'starttls', auth })
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', 'localhost'])
      expect(server(`smtp://${host}:2525`, { SMTP_TLS: 'off' })).toMatchObject({ port: 2525, tls: 'off' })
  })

  it('reads sender, bounce domain, bounce port and DKIM key', () => {
    const config = readConfig({ ...SMTP, ...DKIM, MAIL_BOUNCE_DOMAIN: 'bounces.example.com', MAIL_INBOUND_PORT: '2525' })
    expect(config.mail).toMatchObject({
      from: 'orders@marketplace.example',
      bounceDomain: 'bounces.example.com',
      dkim: { domain: 'marketplace.example', selector: 'orders-2027', keyFile: '/etc/dkim.pem' },
    })
    expect(config).toMatchObject({ mailBounceDomain: 'bounces.example.com', mailInboundPort: 2525 })
  })

  it.each([
    [{ SMTP_URL: SMTP.SMTP_URL }, 'MAIL_FROM must be set when SMTP_URL is: it is the address that order mails come from.'],
    [{ ...SMTP, SMTP_TLS: 'on' }, 'SMTP_TLS must be required or off; it is "on".'],
    [
      { MAIL_FROM: 'Orders <orders@a.example>' },
      'MAIL_FROM must be one mail address such as orders@marketplace.example; it is "Orders <orders@a.example>".',
    ],
    [{ MAIL_BOUNCE_DOMAIN: 'localhost' }, 'MAIL_BOUNCE_DOMAIN must be a domain such as bounces.marketplace.example; it is "localhost".'],
    [{ MAIL_INBOUND_PORT: '0', MAIL_BOUNCE_DOMAIN: 'b.example' }, 'MAIL_INBOUND_PORT must be a whole number from 1 to 65535; it is "0".'],
    [{ MAIL_INBOUND_PORT: '25' }, 'MAIL_BOUNCE_DOMAIN must be set when MAIL_INBOUND_PORT is: it is the domain whose mail that port takes.'],
    [{ MAIL_INBOUND_PORT: '25', PORT: '25', MAIL_BOUNCE_DOMAIN: 'b.example' }, 'PORT and MAIL_INBOUND_PORT must differ; both are 25.'],
    [{ ...DKIM, DKIM_DOMAIN: 'a b' }, 'DKIM_DOMAIN must be a domain such as marketplace.example; it is "a b".'],
    [
      { ...DKIM, DKIM_SELECTOR: 'a_b' },
      'DKIM_SELECTOR must be made of letters, digits, hyphens and dots, such as orders-2027; it is "a_b".',
    ],
    [
      { ...DKIM, DKIM_KEY_FILE: 'dkim.pem' },
      'DKIM_KEY_FILE must be the absolute path of a file, such as /etc/marketplace/dkim.pem; it is "dkim.pem".',
    ],
    [{ ...DKIM, DKIM_SELECTOR: '' }, 'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE must be set together; DKIM_SELECTOR is not set.'],
  ])('%j is refused in one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(new ConfigFault(sentence))
  })

  it.each(['smtps://smtp.example.com', 'smtp://smtp.example.com', 'smtp://127.0.0.1.example.com', 'smtps://127.0.0.1'])(
    'SMTP_TLS off is refused for %s',
    (SMTP_URL) => {
      const sentence = 'SMTP_TLS must be required unless SMTP_URL is an smtp:// server on this machine, such as smtp://127.0.0.1:25.'
      expect(() => readConfig({ ...SMTP, SMTP_URL, SMTP_TLS: 'off' })).toThrow(new ConfigFault(sentence))
    },
  )

  it.each([
    'smtp.example.com',
    'http://smtp.example.com',
    'smtp://',
    'smtp://user@host',
    'smtp://:secret@host',
    'smtp://user:secret%@host',
    'smtp://user:secret@host:0',
    'smtp://user:secret@host:99999',
    'smtp://user:secret@host/path',
    'smtp://user:secret@host?pool=true',
    'smtp://user:secret@host#x',
    'smtp://user:secret@h%0D%0Aost',
    'smtp://user:secret@höst',
  ])('SMTP_URL %s is refused without repeating its password', (SMTP_URL) => {
    const sentence = 'SMTP_URL must be a URL such as smtps://user:password@smtp.example.com:465.'
    expect(() => readConfig({ ...SMTP, SMTP_URL })).toThrow(new ConfigFault(sentence))
  })
})
