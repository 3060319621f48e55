/**
 * The rooms of the house and their doors. `sees` counts every import of the source, types included; `runs` counts what is left when the
 * types are gone, and therefore looks at the compiled tree, which `npm run types` leaves in .compiled/.
 */
const RULES = `node_modules/(big\\.js|@js-temporal|@types/big)`
const PROCESSES = ['api/', 'workflows/', 'activities/', 'worker/', 'sftp/', 'bounces/']
const operations = (...names) => `src/operations/(${names.join('|')})/`
/** What a process that reads strangers' files must not reach. The parsers of addresses in src/config hold no setting. */
const SETTINGS_AND_DATA = '^src/(store|config/(?!(location|objectNames|publicAddress|root)\\.)|operations/(orders|pull))'
const list = (room) => room.replace(/[^a-z]+/gi, '-')
const sees = (room, name, to) => ({ name: `${list(room)}-${name}`, severity: 'error', from: { path: `^${room}/` }, to })
const runs = (room, name, to) => ({ name: `${list(room)}-${name}`, severity: 'error', from: { path: `^.compiled/${room}/` }, to })
const anythingBut = (...places) => ({ pathNot: places.map((place) => `^(.compiled/)?${place}`) })
const any = (...places) => ({ path: places.map((place) => `^(.compiled/)?${place}`) })

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-lost-imports', severity: 'error', from: { pathNot: '^.compiled/' }, to: { couldNotResolve: true } },

    sees('src/contract', 'knows-zod-and-itself', anythingBut('src/contract/', 'node_modules/(zod|fastest-levenshtein)/')),
    sees('src/domain', 'sees-types-of-contract', anythingBut('src/domain/', 'src/contract/', RULES)),
    runs('src/domain', 'runs-itself-and-vocabulary', anythingBut('src/domain/', 'src/contract/vocabulary', RULES)),
    sees(
      'src/store',
      'knows-sql-and-rules',
      anythingBut(
        'src/store/',
        'src/contract/',
        'src/domain/',
        'src/metrics/',
        'node_modules/(kysely|pg|@types/pg|pg-copy-streams|@types/pg-copy-streams|uuid)/',
        '(node:)?(crypto|zlib|stream|stream/promises|timers/promises)$',
      ),
    ),
    sees('src/config', 'imports-no-adapter', any('src/(adapters|store|metrics|operations|sdk|local|cli)/', ...PROCESSES)),
    sees('src/adapters', 'knows-no-room', any('src/(store|operations|sdk|local|cli)/', ...PROCESSES)),
    runs('src/adapters', 'runs-no-rule', any('src/domain/')),
    sees('src/operations', 'knows-no-program', any('src/(sdk|local|cli)/', ...PROCESSES)),
    sees('src/operations/(orders|publishing)', 'knows-rules-and-store', any('src/adapters/')),
    sees('src/operations/webhooks', 'knows-no-other-operation', any(operations('orders', 'publishing', 'drops', 'documents'))),
    sees('src/operations/pull', 'knows-no-other-operation', any(operations('publishing'))),
    sees(
      'src/conform',
      'speaks-http',
      any('src/(store|operations/(?!pull/)|sdk|local|cli)/', 'src/config/(?!location|publicAddress)', ...PROCESSES),
    ),
    sees('src/operations/documents', 'knows-no-other-operation', any(operations('publishing'))),
    // A stranger's file is read there: it must find no database, no settings and no credentials.
    {
      name: 'a-documents-reader-knows-no-database',
      severity: 'error',
      from: { path: '^src/operations/documents/documentReader/' },
      to: { path: SETTINGS_AND_DATA, reachable: true },
    },
    sees('src/operations/drops', 'knows-no-other-operation', any(operations('orders', 'pull', 'documents'))),
    {
      name: 'a-drops-reader-knows-no-database',
      severity: 'error',
      from: { path: '^src/operations/drops/reader/' },
      to: { path: SETTINGS_AND_DATA, reachable: true },
    },
    sees('src/operations/edi', 'knows-no-other-operation', any(operations('publishing', 'pull', 'documents', 'drops'))),
    sees('src/operations/settlement', 'knows-no-other-operation', any(operations('publishing', 'pull', 'documents', 'drops', 'edi'))),
    sees(
      'src/metrics',
      'knows-no-room',
      anythingBut(
        'src/metrics/',
        'src/config/',
        'src/domain/tokenBuckets',
        'node_modules/(prom-client|@opentelemetry|@types/pg|pg)/',
        '(node:)?(http|net|async_hooks|timers/promises)$',
      ),
    ),
    // A package of its own, for any runtime: it knows the service by HTTP.
    sees('client/src', 'knows-itself-and-fetch', anythingBut('client/src/', 'node_modules/openapi-')),
    // The command line is a client: what it knows besides are the readers of files and the rules that check them.
    sees(
      'src/commandLine',
      'is-a-client',
      any(
        'src/(store|operations/(?!drops|publishing|pull)|local|metrics|config)',
        'node_modules/(pg|kysely|express|@temporalio)/',
        ...PROCESSES,
      ),
    ),
    {
      name: 'no-room-knows-the-command-line',
      severity: 'error',
      from: { path: '^(src|workflows|activities|worker|sftp|bounces)/(?!commandLine/)' },
      to: { path: '^src/commandLine/' },
    },
    sees(
      'src/sdk/dropClient',
      'sends-by-api-or-sftp',
      any('src/(?!(sdk|contract)/|adapters/keys/sshKey)', ...PROCESSES, 'node_modules/(pg|kysely|express)/'),
    ),
    sees('src/local/embedded', 'runs-programs-not-rooms', any('src/(local/demo|cli)/', ...PROCESSES)),
    sees('src/local/demo', 'is-a-client', any('src/(adapters|cli|operations|store)/', 'src/config/(?!root)', ...PROCESSES)),
    sees('src/local/sandbox', 'is-a-client', any('src/(store|operations|local/(embedded|demo)|cli)/', 'src/config/(?!root)', ...PROCESSES)),
    runs('src/local/demo', 'runs-no-engine', any('src/local/embedded/')),
    sees('src/cli', 'knows-src-alone', any(...PROCESSES)),
    sees(
      'tools',
      'is-no-part-of-a-program',
      any('workflows/', 'activities/', 'worker/', 'sftp/', 'bounces/', 'src/(local/(embedded|demo)|cli)/'),
    ),
    {
      name: 'no-program-runs-tools',
      severity: 'error',
      from: { path: '^(src|api|workflows|activities|worker|sftp|bounces)/' },
      to: { path: '^tools/' },
    },
    // Every command loads this module.
    {
      name: 'the-end-of-a-command-loads-no-engine',
      severity: 'error',
      from: { path: '^.compiled/src/cli/endWith' },
      to: { path: 'node_modules/(@temporalio|ssh2|undici|pg|kysely)/', reachable: true },
    },
    sees(
      'workflows',
      'sees-no-engine-room',
      any(
        'api/',
        'worker/',
        'sftp/',
        'bounces/',
        'src/(adapters|cli|local/(?!sandbox/habits\\.)|operations|sdk|store)/',
        'node_modules/(zod|pg|kysely|express)/',
      ),
    ),
    runs(
      'workflows',
      'runs-rules-alone',
      anythingBut('workflows/', 'src/domain/', 'src/contract/vocabulary', 'node_modules/@temporalio/(workflow|common)/', RULES),
    ),
    sees('activities', 'knows-src-alone', any('workflows/', 'worker/', 'api/', 'sftp/', 'bounces/', 'src/(local/demo|cli)/')),
    sees('worker', 'knows-not-the-api', any('api/', 'sftp/', 'bounces/', 'src/(local/demo|cli)/')),
    sees(
      'api',
      'knows-src-and-express',
      any('workflows/', 'activities/', 'worker/', 'sftp/', 'bounces/', 'src/(local/(embedded|demo)|cli)/', 'node_modules/@temporalio/'),
    ),
    sees(
      'sftp',
      'knows-src-and-ssh',
      any('workflows/', 'activities/', 'worker/', 'api/', 'src/(local|cli)/', 'node_modules/(@temporalio|express)/'),
    ),
    sees(
      'bounces',
      'knows-src-and-smtp',
      any(
        'workflows/',
        'activities/',
        'worker/',
        'api/',
        'sftp/',
        'src/(operations|local|cli)/',
        'node_modules/(@temporalio|express|ssh2)/',
      ),
    ),
    // Every command on an order comes through src/operations/orders, whoever sends it.
    sees(
      'api',
      'commands-orders-through-src-orders',
      any(
        'src/operations/orders/(applyCommand|familyToPlaceIn|write)\\.',
        'src/domain/order/(cancel|confirm|create|decide|lapse|plan|respond|validate)\\.',
      ),
    ),
    {
      name: 'only-the-store-runs-sql',
      severity: 'error',
      from: {
        path: '^.compiled/(api|workflows|activities|sftp|bounces|src/(sdk|commandLine|conform|contract|local/(demo|sandbox)|domain|operations|adapters))/',
      },
      to: { path: 'node_modules/(pg|kysely)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^.compiled/test/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
