import type { NativeConnection } from '@temporalio/worker'
import type { TemporalSecurity } from '../src/config/temporal.ts'
import { ATTRIBUTES } from '../workflows/searchAttributes.ts'
import { ALREADY_EXISTS, grpcCode, isForbidden } from './temporalErrors.ts'

type Attribute = (typeof ATTRIBUTES)[keyof typeof ATTRIBUTES]

/**
 * Registers every search attribute of our runs in the namespace. Idempotent, so any number of workers may call it concurrently.
 * Returns one sentence on what to do if registration is forbidden, else undefined. Fails if the server is away or does not know the namespace.
 */
export async function registerSearchAttributes(
  connection: Services,
  namespace: string,
  { isCloud = false }: { isCloud?: boolean } = {},
): Promise<string | undefined> {
  const { operatorService } = connection
  let missing: readonly Attribute[] = Object.values(ATTRIBUTES)
  try {
    missing = await missingAttributes(connection, namespace)
    if (missing.length === 0) return undefined
    const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, TYPES[type].number]))
    await operatorService.addSearchAttributes({ namespace, searchAttributes })
    return undefined
  } catch (error) {
    if (grpcCode(error) === ALREADY_EXISTS) return undefined // another worker has registered it first
    if (!isForbidden(error)) throw error
    const lack = `The Temporal namespace ${namespace} lacks search attributes that cannot be set up from here`
    return isCloud
      ? `${lack}; run "${cloudCommand(namespace, missing)}", or add them in the console of Temporal Cloud.`
      : `${lack}; run "${ownCommand(namespace, missing)}".`
  }
}

function ownCommand(namespace: string, attributes: readonly Attribute[]): string {
  const options = attributes.map(({ name, type }) => `--name ${name} --type ${TYPES[type].name}`)
  return `temporal operator search-attribute create --namespace ${namespace} ${options.join(' ')}`
}

/** Temporal Cloud does not serve the operator commands of `temporal`, so `tcld` is used. */
function cloudCommand(namespace: string, attributes: readonly Attribute[]): string {
  const options = attributes.map(({ name, type }) => `--search-attribute ${name}=${TYPES[type].name}`)
  return `tcld namespace search-attributes add --namespace ${namespace} ${options.join(' ')}`
}

/** Whether an address or its credential belongs to Temporal Cloud. */
export function isTemporalCloud(address: string, { apiKey }: Pick<TemporalSecurity, 'apiKey'>): boolean {
  return apiKey !== undefined || /\.(tmprl\.cloud|api\.temporal\.io)(:\d+)?$/i.test(address)
}

type Services = Pick<NativeConnection, 'operatorService' | 'workflowService'>

/** Returns the search attributes of our runs that the namespace lacks. */
export async function missingAttributes({ operatorService, workflowService }: Services, namespace: string): Promise<readonly Attribute[]> {
  const all: readonly Attribute[] = Object.values(ATTRIBUTES)
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    return all.filter(({ name }) => !(name in customAttributes))
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
  // If listing is forbidden, a search shows whether a name is known. The time-skipping server has no search, so it gets every attribute.
  const isKnown = ({ name }: Attribute) =>
    workflowService.countWorkflowExecutions({ namespace, query: `${name} IS NOT NULL` }).then(
      () => true,
      () => false,
    )
  const known = await Promise.all(all.map(isKnown))
  return all.filter((_, index) => !known[index])
}

/** The types' numbers in Temporal's API (temporal.api.enums.v1.IndexedValueType) and their names on its command line. */
const TYPES = {
  KEYWORD: { number: 2, name: 'Keyword' },
  BOOL: { number: 5, name: 'Bool' },
  DATETIME: { number: 6, name: 'Datetime' },
} as const
