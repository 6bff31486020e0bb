/** Open questions and mistakes, at the field that they are about. */
import { useState } from 'preact/hooks';
import type { Question } from '../../wire.js';
import { Button, Input } from '../controls.js';
import type { MappedField } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { untrusted } from '../text.js';

export function Questions({ of }: { of(field: string | null): boolean }) {
  const { evaluation, answer } = useSession();
  const open = evaluation.answer?.questions.filter(({ field }) => of(field)) ?? [];
  return (
    <>
      {open.map(({ line, ask, answers }) => (
        <section key={`${line} ${ask}`} class="question" aria-label="Open question">
          <p>{untrusted(ask)}</p>
          <div class="actions">
            <Button text="It’s right" onClick={() => answer(line, [])} />
            {answers.map((one) =>
              one.input === 'date' ? (
                <DateAnswer key={one.label} line={line} of={one} />
              ) : (
                <Button
                  key={one.label}
                  text={untrusted(one.label)}
                  onClick={() => answer(line, one.changes)}
                />
              ),
            )}
          </div>
        </section>
      ))}
    </>
  );
}

function DateAnswer({ line, of }: { line: number; of: Question['answers'][number] }) {
  const { answer } = useSession();
  const [day, setDay] = useState(String(of.changes[0]?.value ?? ''));
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const changes = of.changes.map(({ path }) => ({ path, value: day }));
        void answer(line, changes);
      }}
    >
      <Input label={untrusted(of.label)} type="date" required value={day} sketch={setDay} />
      <Button text="Use it" type="submit" />
    </form>
  );
}

export function FieldMistakes({ field: { path } }: { field: MappedField }) {
  const about = useSession().mistakes.filter(
    ({ severity, path: place }) =>
      severity === 'error' && path.every((step, at) => place[at] === step),
  );
  return (
    <>
      {about.map(({ message, offset }) => (
        <p key={`${offset} ${message}`} class="wrong">
          {untrusted(message)}
        </p>
      ))}
    </>
  );
}
