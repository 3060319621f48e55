import type { NoticeMakegood, OfferMakegood } from '../../contract/makegood.ts'
import { ACTIONS_PER_MAKEGOOD, GUIDELINES, type MakegoodAction } from '../../contract/vocabulary/makegoods.ts'
import type { Instant } from '../calendar.ts'
import { invalid, Refusal, refuseIfAny } from '../refusal.ts'
import { unusable } from '../uploads/checkAttachments.ts'
import { agree } from './agree.ts'
import { checkNotice, refuseUnplaced } from './checkNotice.ts'
import { checkOffers } from './checkOffers.ts'
import { offerWithin } from './fitsGuidelines.ts'
import { type MakegoodFacts, spotsOf } from './makegoodFacts.ts'
import { asOf, isOpen, type MakegoodChange, type MakegoodState, type MakegoodStepDraft } from './makegoodState.ts'

/** What a seller does to a makegood. */

type Notice = Omit<NoticeMakegood, 'actor'> & { readonly actor: string }

/**
 * Begins a makegood: a notice, perhaps with offers, which the guidelines of the agreement may accept. Errors: Refusal NOT_FOUND for an unknown line,
 * INVALID_STATE unless the order is placed, INVALID_INPUT with every fault.
 */
export function noticeMakegood(request: Notice, facts: MakegoodFacts): MakegoodChange {
  const { offers = [], expires_at, agreed_outside = false, actor } = request
  refuseUnplaced(facts)
  const spots = spotsOf(facts)
  const missed = request.for
  const unnoticeable = checkNotice(missed, facts, spots)
  const noFile = facts.hasFile === false ? [unusable(request.upload_id ?? '', 'upload_id')] : []
  refuseIfAny([...unnoticeable, ...checkAgreedOutside(request), ...noFile])
  const noticed: MakegoodState = {
    ...{ status: 'noticed', version: 1, missed, offers: [], expires_at: null, agreed: null, credits: [] },
    agreed_outside,
  }
  const notice: MakegoodStepDraft = { action: 'notice', side: 'seller', actor, status: 'noticed', version: 1 }
  if (offers.length === 0) return { makegood: noticed, steps: [notice] }
  const offered = withOffers(noticed, { offers, expires_at }, facts)
  const [only] = offered.offers
  if (agreed_outside && only !== undefined) {
    const agreed = agree(only, facts, spots)
    const makegood: MakegoodState = { ...offered, status: 'accepted', agreed: agreed ?? null, expires_at: null }
    return { makegood, steps: [{ ...notice, status: 'accepted' }] }
  }
  return acceptedByGuidelines(offered, [{ ...notice, status: 'offered' }], facts)
}

function checkAgreedOutside({ agreed_outside, offers = [], expires_at }: Notice) {
  if (agreed_outside !== true)
    return expires_at !== undefined && offers.length === 0 ? [invalid('expires_at', 'expires_at needs offers.')] : []
  return [
    ...(offers.length === 1 ? [] : [invalid('offers', 'What was agreed outside is exactly one offer.')]),
    ...(expires_at === undefined ? [] : [invalid('expires_at', 'What was agreed outside does not expire.')]),
  ]
}

interface Offers {
  readonly offers: readonly OfferMakegood[]
  readonly expires_at?: Instant | undefined
}

function withOffers(makegood: MakegoodState, asked: Offers, facts: MakegoodFacts): MakegoodState {
  const { missed, agreed_outside } = makegood
  const { faults, offers, expires_at } = checkOffers({ missed, agreed_outside, ...asked }, facts, spotsOf(facts))
  refuseIfAny(faults)
  return { ...makegood, status: 'offered', offers, expires_at }
}

function acceptedByGuidelines(offered: MakegoodState, steps: readonly MakegoodStepDraft[], facts: MakegoodFacts): MakegoodChange {
  const spots = spotsOf(facts)
  const offer = offerWithin(facts.agreement?.makegood_guidelines, offered.offers, facts.order, spots)
  const agreed = offer && agree(offer, facts, spots)
  if (agreed === undefined) return { makegood: offered, steps }
  const accepted: MakegoodStepDraft = {
    action: 'accept',
    side: 'platform',
    actor: GUIDELINES,
    status: 'accepted',
    version: offered.version,
  }
  return { makegood: { ...offered, status: 'accepted', agreed }, steps: [...steps, accepted] }
}

/** Offers other spots, in place of earlier offers. Errors: Refusal INVALID_STATE once it is answered or over, INVALID_INPUT with every fault. */
export function offerMakegood(
  before: MakegoodState,
  request: Offers & {
    readonly version?: number | undefined
    readonly note?: string | undefined
    readonly actor: string
    readonly actions: number
  },
  facts: MakegoodFacts,
): MakegoodChange {
  refuseUnplaced(facts)
  const makegood = openOne(before, 'offer', request.version, facts.now)
  if (request.actions >= ACTIONS_PER_MAKEGOOD) {
    const message = `The makegood has had ${request.actions} actions: recall it and begin another.`
    throw new Refusal('INVALID_STATE', message, { status: makegood.status, version: makegood.version, maximum: ACTIONS_PER_MAKEGOOD })
  }
  const raised = { ...makegood, version: makegood.version + 1 }
  const offered = withOffers(raised, request, facts)
  const { actor, note } = request
  return acceptedByGuidelines(
    offered,
    [{ action: 'offer', side: 'seller', actor, note, status: 'offered', version: raised.version }],
    facts,
  )
}

/** Takes a makegood back before it is answered. */
export function recallMakegood(
  before: MakegoodState,
  request: {
    readonly version?: number | undefined
    readonly note?: string | undefined
    readonly actor: string
    readonly side?: 'seller' | 'platform'
  },
  now: Instant,
): MakegoodChange {
  const { actor, note, side = 'seller' } = request
  const makegood = openOne(before, 'recall', request.version, now)
  return {
    makegood: { ...makegood, status: 'recalled', expires_at: null },
    steps: [{ action: 'recall', side, actor, note, status: 'recalled', version: makegood.version }],
  }
}

/** Returns a makegood that waits for a party. Errors: Refusal INVALID_STATE with its status and version if it does not, or has another version. */
export function openOne(makegood: MakegoodState, action: MakegoodAction, version: number | undefined, now: Instant): MakegoodState {
  const current = asOf(makegood, now)
  const { status } = current
  const details = { status, version: current.version }
  if (!isOpen(current)) throw new Refusal('INVALID_STATE', `The makegood is ${status}: ${action} is not possible.`, details)
  if (version === undefined || version === current.version) return current
  throw new Refusal('INVALID_STATE', `The makegood is at version ${current.version}, not ${version}: read it again.`, details)
}
