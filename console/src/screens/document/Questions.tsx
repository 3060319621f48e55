import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { useKeys } from '../../ui/keys.ts'
import { answersOf, keyOf, openQuestions, type Said } from './answers.ts'
import classes from './DocumentScreen.module.css'
import { linesText, type Parse, type Question } from './parse.ts'

interface QuestionsProps {
  readonly parse: Parse
  readonly said: Said
  /** Set for a buyer who may confirm. */
  readonly say?: ((next: Said) => void) | undefined
  /** Shows the place of a question in the document. */
  readonly show: (question: Question) => void
}

/** What is asked once for several lines: each question with its choices, by keys in their order. */
export function Questions({ parse, said, say, show }: QuestionsProps) {
  const questions = parse.questions ?? []
  const open = useMemo(() => openQuestions(parse, said), [parse, said])
  const first = open.find(({ choices }) => choices.length > 0)
  const proposed = questions.filter((question) => question.proposed !== undefined && (said[keyOf.answer(question)] ?? '') === '')
  const answer = (question: Question, choice: string) => say?.({ ...said, [keyOf.answer(question)]: choice })
  const choices = first === undefined || say === undefined ? [] : first.choices.slice(0, KEYS)
  useKeys(
    'The questions',
    choices.map(({ choice, text }, index) => ({
      keys: String(index + 1),
      does: `Answer: ${text}`,
      run: () => first && answer(first, choice),
    })),
  )
  if (questions.length === 0) return null
  return (
    <section className={classes.questions} aria-label="Questions">
      <h2>Questions about the document</h2>
      {say && proposed.length > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => say({ ...said, ...Object.fromEntries(proposed.map((one) => [keyOf.answer(one), one.proposed ?? ''])) })}
        >
          Answer as last time: {proposed.length === 1 ? '1 question' : `${proposed.length} questions`}
        </Button>
      )}
      {questions.map((question) => (
        <Asked key={question.question_id} question={question} isNext={question === first} parse={parse} said={said} say={say} show={show} />
      ))}
    </section>
  )
}

/** The choices that have a key. */
const KEYS = 9

interface AskedProps extends QuestionsProps {
  readonly question: Question
  /** Whether the keys answer it. */
  readonly isNext: boolean
}

function Asked({ question, isNext, parse, said, say, show }: AskedProps) {
  const { question_id, kind, message, at, lines, choices } = question
  const answered = answersOf(parse, said).find((one) => one.question === question)
  return (
    <fieldset id={question_id} className={`${classes.question} ${isNext ? classes.next : ''}`} onFocus={() => show(question)}>
      <legend>
        {answered && <Icon name="check" size={14} />} {message}
      </legend>
      <p className={classes.at}>
        {kind === 'fee' ? 'Its lines do not wait for it' : linesText(lines)}
        {at !== '' && (
          <>
            {' · '}
            <button type="button" className={classes.place} onClick={() => show(question)}>
              {at}
            </button>
          </>
        )}
      </p>
      <Choices question={question} isNext={isNext} said={said} say={say} />
      {choices.length === 0 && kind !== 'product' && <p>State its lines one by one below, or leave them out.</p>}
      {kind === 'product' && say && <AnyProduct question={question} said={said} say={say} />}
    </fieldset>
  )
}

function Choices({ question, isNext, said, say }: Pick<AskedProps, 'question' | 'isNext' | 'said' | 'say'>) {
  const { question_id, message, choices, proposed } = question
  const chosen = said[keyOf.answer(question)] ?? ''
  const answer = (choice: string) => say?.({ ...said, [keyOf.answer(question)]: choice })
  const textOf = ({ choice, text }: Question['choices'][number]) => (choice === proposed ? `${text} (as last time)` : text)
  if (choices.length > KEYS)
    return (
      <NativeSelect
        size="xs"
        aria-label={message}
        disabled={say === undefined}
        value={chosen}
        onChange={(event) => answer(event.currentTarget.value)}
        data={[{ value: '', label: 'Choose what is meant' }, ...choices.map((each) => ({ value: each.choice, label: textOf(each) }))]}
      />
    )
  return choices.map((each, index) => (
    <label key={each.choice} className={classes.choice}>
      <input
        type="radio"
        name={question_id}
        disabled={say === undefined}
        checked={chosen === each.choice}
        onChange={() => answer(each.choice)}
      />{' '}
      {textOf(each)} {isNext && say && <kbd>{index + 1}</kbd>}
    </label>
  ))
}

/** A product that is not among the candidates, for all lines of the question. */
function AnyProduct({ question: { lines, message }, said, say }: { question: Question; said: Said; say: (next: Said) => void }) {
  const keys = lines.map((line) => keyOf.value({ line, field: 'product_id' }))
  return (
    <TextInput
      size="xs"
      label="Or another product, by its id"
      aria-label={`Another product for: ${message}`}
      className={classes.product}
      value={said[keys[0] ?? ''] ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget
        say({ ...said, ...Object.fromEntries(keys.map((key) => [key, value.trim()])) })
      }}
    />
  )
}
