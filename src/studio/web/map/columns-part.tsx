/** The columns of a field: one, or several in an order, with a text between them. */
import type { JSX } from 'preact';
import { ChoiceList } from '../choice-list.js';
import type { MappingSession } from '../session/use-session.js';
import type { RuleEditor } from './rule-editor.js';
import { partsOf, withColumns, withStep } from './rule-parts.js';

interface ColumnsProps {
  readonly editor: RuleEditor;
  readonly chosen: readonly string[];
  /** Asks for a rule that reads these columns. */
  choose(columns: readonly string[]): void;
}

export function ColumnsPart({ editor, chosen, choose }: ColumnsProps): JSX.Element {
  const { session, field, rule, write } = editor;
  const several = chosen.length > 1;
  const set = (columns: readonly string[]): void => {
    const known = withColumns(rule, columns);
    if (known === undefined) choose(columns);
    else write(known);
  };
  return (
    <fieldset>
      <legend>{several ? 'Columns' : 'Column'}</legend>
      <ol class="chosen">
        {chosen.map((column, index) => (
          <li key={column} class="row">
            <ChoiceList
              label={several ? `Column ${index + 1}` : 'Column'}
              current={column}
              groups={columnGroups(session, (other) => choose(chosen.with(index, other)))}
            />
            {several ? (
              <>
                <button
                  type="button"
                  aria-label={`Move ${column} up`}
                  disabled={index === 0}
                  onClick={() => set(moved(chosen, index))}
                >
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={`Leave out ${column}`}
                  onClick={() => set(chosen.toSpliced(index, 1))}
                >
                  ×
                </button>
              </>
            ) : null}
          </li>
        ))}
      </ol>
      {chosen.length > 0 && TAKES_ONE.test(field.name) ? null : (
        <ChoiceList
          label={chosen.length === 0 ? 'Choose a column' : 'Join another column'}
          groups={columnGroups(session, (column) => choose([...chosen, column]))}
        />
      )}
      {partsOf(rule).kind === 'join' ? <Between editor={editor} /> : null}
    </fieldset>
  );
}

/** Fields whose values can't be joined. */
const TAKES_ONE = /^(?:metrics\.|published|downloaded|language|sentiment)/u;

function columnGroups(
  { columns, evaluation }: MappingSession,
  choose: (column: string) => void,
): Parameters<typeof ChoiceList>[0]['groups'] {
  const { usedBy = {} } = evaluation.answer ?? {};
  const choices = columns.map(({ name, filled, example }) => ({
    text: name,
    detail: `${Math.round(filled * 100)}% filled: ${example}`,
    choose: () => choose(name),
  }));
  const isUsed = ({ text }: { text: string }): boolean => (usedBy[text]?.length ?? 0) > 0;
  return [
    { title: 'Not used yet', choices: choices.filter((one) => !isUsed(one)) },
    { title: 'Used', choices: choices.filter(isUsed) },
  ];
}

function moved(columns: readonly string[], index: number): readonly string[] {
  const [column = ''] = columns.slice(index);
  return columns.toSpliced(index, 1).toSpliced(index - 1, 0, column);
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\n': 'a new line',
  '\n\n': 'an empty line',
  ', ': 'a comma',
  ': ': 'a colon',
};

function Between({ editor }: { readonly editor: RuleEditor }): JSX.Element {
  const { rule, write } = editor;
  const current = typeof rule === 'object' ? (rule.with ?? ' ') : ' ';
  const known = Object.hasOwn(SEPARATORS, current);
  return (
    <>
      <label>
        Between them
        <select
          value={known ? current : 'own'}
          onChange={({ currentTarget: { value } }) =>
            write(withStep(rule, 'with', value === 'own' ? ' – ' : value))
          }
        >
          {Object.entries(SEPARATORS).map(([text, label]) => (
            <option key={text} value={text}>
              {label}
            </option>
          ))}
          <option value="own">another text</option>
        </select>
      </label>
      {known ? null : (
        <label>
          Text between them
          <input
            type="text"
            value={current}
            onChange={({ currentTarget: { value } }) => write(withStep(rule, 'with', value))}
          />
        </label>
      )}
      <p class="soft">Empty values are left out.</p>
    </>
  );
}
