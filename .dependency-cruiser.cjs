/**
 * The rooms of the house and their doors. `sees` counts every import of the source, types included; `runs` counts what is left when the
 * types are gone, and therefore looks at the compiled tree, which `npm run types` leaves in .compiled/.
 */
const RULES = `node_modules/(big\\.js|@js-temporal|@types/big)`
const PROCESSES = ['api/', 'workflows/', 'activities/', 'worker/', 'sftp/', 'bounces/']
const list = (room) => room.replace(/[^a-z]+/gi, '-')
const sees = (room, name, to) => ({ name: `${list(room)}-${name}`, severity: 'error', from: { path: `^${room}/` }, to })
const runs = (room, name, to) => ({ name: `${list(room)}-${name}`, severity: 'error', from: { path: `^.compiled/${room}/` }, to })
const anythingBut = (...places) => ({ pathNot: places.map((place) => `^(.compiled/)?${place}`) })
const any = (...places) => ({ path: places.map((place) => `^(.compiled/)?${place}`) })

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: { path: '^.compiled/' }, to: { circular: true } },
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
    sees('src/adapters', 'knows-no-room', any('src/(store|orders|publishing|drops|embedded|demo|cli)/', ...PROCESSES)),
    runs('src/adapters', 'runs-no-rule', any('src/domain/')),
    sees('src/(orders|publishing)', 'knows-rules-and-store', any('src/(adapters|embedded|demo|cli)/', ...PROCESSES)),
    sees('src/webhooks', 'knows-no-room', any('src/(orders|publishing|drops|documents|embedded|demo|cli)/', ...PROCESSES)),
    sees('src/pull', 'knows-no-room', any('src/(publishing|embedded|demo|cli)/', ...PROCESSES)),
    sees('src/documents', 'knows-no-room', any('src/(publishing|embedded|demo|cli)/', ...PROCESSES)),
    // A stranger's file is read there: it must find no database, no settings and no credentials.
    {
      name: 'a-documents-reader-knows-no-database',
      severity: 'error',
      from: { path: '^src/documents/documentReader/' },
      to: { path: '^src/(store|config|orders|pull)', reachable: true },
    },
    sees('src/drops', 'knows-no-room', any('src/(orders|embedded|demo|cli|pull|documents)/', ...PROCESSES)),
    {
      name: 'a-drops-reader-knows-no-database',
      severity: 'error',
      from: { path: '^src/drops/reader/' },
      to: { path: '^src/(store|config|orders|pull)', reachable: true },
    },
    sees('src/edi', 'knows-no-room', any('src/(publishing|embedded|demo|cli|pull|documents|drops)/', ...PROCESSES)),
    sees('src/settlement', 'knows-no-room', any('src/(publishing|embedded|demo|cli|pull|documents|drops|edi)/', ...PROCESSES)),
    sees(
      'src/metrics',
      'knows-no-room',
      anythingBut(
        'src/metrics/',
        'src/config',
        'src/domain/tokenBuckets',
        'node_modules/(prom-client|@opentelemetry|@types/pg|pg)/',
        '(node:)?(http|net|async_hooks|timers/promises)$',
      ),
    ),
    sees('src/client', 'knows-the-contract-alone', anythingBut('src/client/', 'src/contract/', 'node_modules/zod/')),
    sees(
      'src/dropClient',
      'sends-by-api-or-sftp',
      any(
        'src/(?!(dropClient|client|contract)/|adapters/sshKey)',
        'api/',
        'sftp/',
        'bounces/',
        'workflows/',
        'activities/',
        'worker/',
        'node_modules/(pg|kysely|express)/',
      ),
    ),
    sees(
      'src/sandbox',
      'is-a-client',
      any('src/(store|orders|publishing|drops|documents|edi|settlement|webhooks|pull|embedded|demo|cli)/', 'src/config', ...PROCESSES),
    ),
    sees('src/embedded', 'runs-programs-not-rooms', any('src/(demo|cli)/', ...PROCESSES)),
    sees('src/demo', 'is-a-client', any('src/(adapters|cli|documents|orders|publishing|pull|store)/', 'src/config', ...PROCESSES)),
    runs('src/demo', 'runs-no-engine', any('src/embedded/')),
    sees('src/cli', 'knows-src-alone', any(...PROCESSES)),
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
        'src/(adapters|cli|demo|embedded|orders|publishing|store)/',
        'node_modules/(zod|pg|kysely|express)/',
      ),
    ),
    runs(
      'workflows',
      'runs-rules-alone',
      anythingBut('workflows/', 'src/domain/', 'src/contract/vocabulary', 'node_modules/@temporalio/(workflow|common)/', RULES),
    ),
    sees('activities', 'knows-src-alone', any('workflows/', 'worker/', 'api/', 'sftp/', 'bounces/', 'src/(demo|cli)/')),
    sees('worker', 'knows-not-the-api', any('api/', 'sftp/', 'bounces/', 'src/(demo|cli)/')),
    sees(
      'api',
      'knows-src-and-express',
      any('workflows/', 'activities/', 'worker/', 'sftp/', 'bounces/', 'src/(embedded|demo|cli)/', 'node_modules/@temporalio/'),
    ),
    sees(
      'sftp',
      'knows-src-and-ssh',
      any('workflows/', 'activities/', 'worker/', 'api/', 'src/(embedded|demo|cli)/', 'node_modules/(@temporalio|express)/'),
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
        'src/(orders|publishing|pull|documents|drops|edi|settlement|embedded|demo|cli)/',
        'node_modules/(@temporalio|express|ssh2)/',
      ),
    ),
    // Every command on an order comes through src/orders, whoever sends it.
    sees(
      'api',
      'commands-orders-through-src-orders',
      any(
        'src/orders/(applyCommand|familyToPlaceIn|write)\\.',
        'src/domain/order/(cancel|confirm|create|decide|lapse|plan|respond|validate)\\.',
      ),
    ),
    {
      name: 'only-the-store-runs-sql',
      severity: 'error',
      from: {
        path: '^.compiled/(api|workflows|activities|sftp|bounces|src/(client|contract|demo|sandbox|domain|documents|drops|edi|orders|publishing|pull|settlement|webhooks|adapters))/',
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
