/** A question that any number of columns answers: each is a field's, or isn't, by one click. */
import { useState } from 'preact/hooks';
import type { MappingChange } from '../../../index.js';
import { columnRule, mainColumns } from '../../../mapping/rules.js';
import { Button, counted, untrusted } from '../parts.js';
import type { MappedField } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { ColumnChoice } from './columns.js';
import { focusNextQuestion } from './questions.js';
import { sketchColumns } from './rule-steps.js';

/** @param isKept shows it even when nothing asks for it any more */
export function Checklist({ field, isKept = false }: { field: MappedField; isKept?: boolean }) {
  const { guessed, openQuestions, usedBy, columns, edit } = useSession();
  const [isBegun, begin] = useState(isKept);
  const { name, path, rule } = field;
  const asked = openQuestions.find((one) => one.field === name && one.checklist);
  const of = guessed?.guess.questions.find((one) => one.field === name && one.checklist);
  if (of?.checklist === undefined || !(asked || isBegun)) return null;
  const chosen = mainColumns(rule);
  // A column that looks like something else can be chosen, too.
  const others = columns.filter(
    ({ name }) => chosen.includes(name) && !of.checklist?.some(({ column }) => column === name),
  );
  const entries = [
    ...of.checklist.map(({ isChosen, words, ...one }) => ({
      ...one,
      about: `${isChosen ? 'proposed, ' : ''}${counted(words, 'word')}: `,
    })),
    ...others.map((one) => ({ column: one.name, about: '', sample: one.example })),
  ];
  const listed = entries.map(({ column }) => column);
  const take = (columns: Columns, changes: readonly MappingChange[] = []): void => {
    // The first click answers the question, and the list stays for the others.
    begin(true);
    const value = sketchColumns(rule, columns);
    edit({ path, columns, changes, dismiss: asked?.todo, shown: [{ path, value }, ...changes] });
  };
  const keep = (todo: string): void => {
    focusNextQuestion();
    edit({ dismiss: todo });
  };
  const takeAsTag = (column: string): void => {
    const tag = { path: ['document', 'tags', '-'], value: columnRule({ name: column }) };
    take(without(chosen, column), [tag]);
  };
  const isTag = (column: string): boolean => usedBy[column]?.includes('tags') === true;
  const joined = listed.filter((column) => chosen.includes(column)).length;
  return (
    <fieldset class="question checklist">
      <legend>{`Which answers are the review? ${joined} of ${listed.length} are joined.`}</legend>
      <ul>
        {entries.map(({ column, about, sample }) => (
          <li key={column}>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen.includes(column)}
                onChange={() => take(toggled(chosen, column, listed))}
              />
              <span>
                <span class="clip">{untrusted(column)}</span>
                <span class="soft">
                  {about}
                  {untrusted(sample)}
                </span>
              </span>
            </label>
            <div class="actions">
              {action('Only this', column, () => take([column]))}
              {!isTag(column) && action('As a tag', column, () => takeAsTag(column))}
            </div>
          </li>
        ))}
      </ul>
      <ColumnChoice
        label="Another column is part of it, too"
        choose={(column) => take([...without(chosen, column), column])}
      />
      {asked && <Button text="Keep as it is" onClick={() => keep(asked.todo)} />}
    </fieldset>
  );
}

function action(text: string, column: string, act: () => void) {
  const label = `${text}: ${column}`;
  return <Button class="plain link" text={text} aria-label={label} onClick={act} />;
}

type Columns = readonly string[];

function without(columns: Columns, column: string): Columns {
  return columns.filter((one) => one !== column);
}

/** Leaves a column out, or puts it before the first chosen one that follows it in the file. */
function toggled(chosen: Columns, column: string, listed: Columns): Columns {
  if (chosen.includes(column)) return without(chosen, column);
  const later = listed.slice(listed.indexOf(column));
  const at = chosen.findIndex((one) => later.includes(one));
  return chosen.toSpliced(at < 0 ? chosen.length : at, 0, column);
}
