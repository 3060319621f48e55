import type { IsoDate } from '../../domain/calendar.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import type { Habit } from './habits.ts'
import { inventoryOf } from './inventory.ts'

/** The name of the secret with which calls of a party's own API are signed. */
const SECRET_REF = 'pull'

/** Where a seller's own API is, and what signs calls of it. */
export interface OwnApi {
  readonly base_url: string
  readonly secret: string
}

/** Declares a seller of the sandbox and puts its inventory on sale. A repeat changes nothing. */
export async function openShop(client: Operations, seller: Habit['seller'], today: IsoDate, api: OwnApi): Promise<void> {
  const { catalog, rateCard, avails } = inventoryOf(seller, today)
  if (seller !== 'seller-suspends-you') await client.putSecret({ path: { name: SECRET_REF }, body: { value: api.secret } })
  await client.putCapabilities({ body: profileOf(seller, api) })
  await client.publishCatalog({ body: JSON.stringify(catalog) })
  await client.publishRateCard({ body: JSON.stringify(rateCard) })
  await client.publishAvails({ body: JSON.stringify(avails) })
}

type Profile = Exclude<Parameters<Operations['putCapabilities']>[0]['body'], string>

function profileOf(seller: Habit['seller'], { base_url }: OwnApi): Profile {
  const pull = { transports: { pull: { base_url: `${base_url}/${seller}`, secret_ref: SECRET_REF } } }
  switch (seller) {
    case 'sandbox-tv':
      return {
        ...pull,
        modes: { catalog: true, proposal: true, document: true },
        realtime_availability: true,
        negotiation: true,
        holds: true,
      }
    case 'sandbox-pull':
      return { ...pull, approval: 'pull' }
    case 'seller-suspends-you':
      return {}
  }
}
