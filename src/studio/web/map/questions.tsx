/** Open questions and mistakes, at the field that they are about. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from '../../wire.js';
import { UntrustedText } from '../parts.js';
import type { MappedField } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';

export function Questions(props: {
  readonly session: MappingSession;
  of(name: string | null): boolean;
}): JSX.Element {
  const { session, of } = props;
  const open = session.evaluation.answer?.questions.filter(({ field }) => of(field)) ?? [];
  return (
    <>
      {open.map((question) => (
        <OneQuestion key={`${question.line} ${question.ask}`} session={session} of={question} />
      ))}
    </>
  );
}

function OneQuestion(props: {
  readonly session: MappingSession;
  readonly of: Question;
}): JSX.Element {
  const { session, of: question } = props;
  return (
    <section class="question" aria-label="Open question">
      <p>
        <UntrustedText value={question.ask} />
      </p>
      <div class="actions">
        <button type="button" onClick={() => session.answer(question.line, [])}>
          It’s right
        </button>
        {question.answers.map((answer) =>
          answer.input === 'date' ? (
            <DateAnswer key={answer.label} session={session} line={question.line} of={answer} />
          ) : (
            <button
              type="button"
              key={answer.label}
              onClick={() => session.answer(question.line, answer.changes)}
            >
              <UntrustedText value={answer.label} />
            </button>
          ),
        )}
      </div>
    </section>
  );
}

function DateAnswer(props: {
  readonly session: MappingSession;
  readonly line: number;
  readonly of: Question['answers'][number];
}): JSX.Element {
  const { session, line, of: answer } = props;
  const [day, setDay] = useState(String(answer.changes[0]?.value ?? ''));
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void session.answer(
          line,
          answer.changes.map(({ path }) => ({ path, value: day })),
        );
      }}
    >
      <label>
        <UntrustedText value={answer.label} />
        <input
          type="date"
          required
          value={day}
          onInput={({ currentTarget }) => setDay(currentTarget.value)}
        />
      </label>
      <button type="submit">Use it</button>
    </form>
  );
}

export function FieldMistakes(props: {
  readonly session: MappingSession;
  readonly field: MappedField;
}): JSX.Element {
  const { path } = props.field;
  const about = props.session.mistakes.filter(
    (mistake) =>
      mistake.severity === 'error' && path.every((step, at) => mistake.path[at] === step),
  );
  return (
    <>
      {about.map(({ message, severity, offset }) => (
        <p key={`${offset} ${message}`} class={`remark ${severity}`}>
          <UntrustedText value={message} />
        </p>
      ))}
    </>
  );
}
