/** Open questions and mistakes, at the field that they are about. */
import type { Question } from '../../wire.js';
import { Button, Input, untrusted } from '../parts.js';
import type { EditOf } from '../session/history.js';
import type { MappedField } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';

/** The questions about some fields, without those that have a checklist instead of answers. */
export function Questions({ of }: { of(field: string | null): boolean }) {
  const { openQuestions, edit } = useSession();
  const open = openQuestions.filter(({ field, checklist }) => of(field) && !checklist);
  const answer = (change: EditOf): void => {
    focusNextQuestion();
    edit(change);
  };
  const take = (todo: string, { label, changes }: Question['answers'][number]): void =>
    answer({ dismiss: todo, label, shown: changes });
  return (
    <>
      {open.map(({ todo, ask, answers }) => (
        <article key={ask} class="question" aria-label="Open question">
          <p>{untrusted(ask)}</p>
          <div class="actions">
            <Button text="Keep as it is" onClick={() => answer({ dismiss: todo })} />
            {answers.map((one) =>
              one.input === 'date' ? (
                <DateAnswer key={one.label} of={one} />
              ) : (
                <Button
                  key={one.label}
                  text={untrusted(one.label)}
                  onClick={() => take(todo, one)}
                />
              ),
            )}
          </div>
        </article>
      ))}
    </>
  );
}

/** Moves the focus from a question that is answered to the one after it, or before it, or to its field. */
export function focusNextQuestion(): void {
  const all = [...document.querySelectorAll('.question')];
  const { activeElement } = document;
  const at = all.findIndex((one) => one.contains(activeElement));
  const next = all[at + 1] ?? all[at - 1] ?? activeElement?.closest('li, .field-panel');
  next?.querySelector<HTMLElement>('button, input')?.focus();
}

/** Asks for the day of the export, which isn't written into the mapping: the next export has its own. */
function DateAnswer({ of }: { of: Question['answers'][number] }) {
  const { setDay } = useSession();
  const day = String(of.changes[0]?.value ?? '');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        focusNextQuestion();
        setDay(String(new FormData(event.currentTarget).get('day')));
      }}
    >
      <Input label={untrusted(of.label)} type="date" name="day" required defaultValue={day} />
      <Button text="Use it" type="submit" />
    </form>
  );
}

export function FieldMistakes({ field: { path } }: { field: MappedField }) {
  const { mistakes } = useSession();
  const about = mistakes.filter((mistake) => path.every((step, at) => mistake.path[at] === step));
  const errors = about.filter(({ severity }) => severity === 'error');
  return (
    <>
      {errors.map(({ message, offset }) => (
        <p key={`${offset} ${message}`} class="wrong">
          {untrusted(message)}
        </p>
      ))}
    </>
  );
}
