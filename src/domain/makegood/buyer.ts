import type { AnswerMakegood } from '../../contract/makegood.ts'
import { invalid, Refusal, refuseIfAny } from '../refusal.ts'
import { agree, creditsOf } from './agree.ts'
import { refuseUnplaced } from './checkNotice.ts'
import { type MakegoodFacts, spotsOf } from './makegoodFacts.ts'
import type { MakegoodChange, MakegoodState } from './makegoodState.ts'
import { openOne } from './seller.ts'

type Answer = Omit<AnswerMakegood, 'actor'> & { readonly actor: string }

/**
 * Answers a makegood: the first answer wins. Errors: Refusal INVALID_STATE with its status and version once it is answered, expired, of another version,
 * or its order is no longer placed; INVALID_INPUT for an unknown offer.
 */
export function answerMakegood(before: MakegoodState, request: Answer, facts: MakegoodFacts): MakegoodChange {
  const { action, version, actor, note } = request
  const makegood = openOne(before, action, version, facts.now)
  refuseUnplaced(facts)
  const answered = (after: Partial<MakegoodState> & Pick<MakegoodState, 'status'>): MakegoodChange => ({
    makegood: { ...makegood, ...after },
    steps: [{ action, side: 'buyer', actor, note, status: after.status, version }],
  })
  switch (action) {
    case 'accept':
      return answered({ status: 'accepted', agreed: accepted(makegood, request, facts) })
    case 'decline':
      refuseUnoffered(makegood, action)
      return answered({ status: 'declined' })
    case 'credit':
      return answered({ status: 'credited', credits: credited(makegood, facts) })
  }
}

function accepted(makegood: MakegoodState, { offer_id }: Answer, facts: MakegoodFacts) {
  refuseUnoffered(makegood, 'accept')
  const { offers, status, version } = makegood
  const offer = offer_id === undefined && offers.length === 1 ? offers[0] : offers.find((each) => each.offer_id === offer_id)
  if (offer === undefined) {
    const known = offers.map((each) => each.offer_id).join(', ')
    refuseIfAny([
      invalid('offer_id', offer_id === undefined ? `must name one of ${known}` : `${offer_id} is not an offer of the makegood: ${known}.`),
    ])
  }
  const agreed = offer && agree(offer, facts, spotsOf(facts))
  if (agreed !== undefined) return agreed
  throw new Refusal('INVALID_STATE', 'What the offer replaces has aired or was made good since.', { status, version })
}

function refuseUnoffered({ status, version }: MakegoodState, action: string): void {
  if (status === 'offered') return
  throw new Refusal('INVALID_STATE', `The makegood is ${status} and offers nothing yet: ${action} is not possible.`, { status, version })
}

function credited(makegood: MakegoodState, facts: MakegoodFacts) {
  const { missed, status, version } = makegood
  const credits = creditsOf(missed, spotsOf(facts))
  if (credits.length > 0) return credits
  throw new Refusal('INVALID_STATE', 'The spots have aired or were made good since: nothing is left to credit.', { status, version })
}
