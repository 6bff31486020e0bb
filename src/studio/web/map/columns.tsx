/** The columns of a field: one, or several in an order. */
import { takesSeveral } from '../../../mapping/rules.js';
import { ChoiceList } from '../choice-list.js';
import { Button } from '../parts.js';
import { useSession } from '../session/use-session.js';

export function Columns(props: {
  field: string;
  chosen: readonly string[];
  choose(columns: readonly string[]): void;
}) {
  const { field, chosen, choose } = props;
  const several = chosen.length > 1;
  const action = (text: string, label: string, then: readonly string[]) => (
    <Button text={text} aria-label={label} title={label} onClick={() => choose(then)} />
  );
  const raised = (at: number) =>
    chosen.toSpliced(at - 1, 2, ...chosen.slice(at - 1, at + 1).toReversed());
  return (
    <fieldset>
      <legend>{several ? 'Columns' : 'Column'}</legend>
      <ol class="chosen">
        {chosen.map((column, index) => (
          <li key={column} class="row">
            <ColumnChoice
              label={several ? `Column ${index + 1}` : 'Column'}
              current={column}
              choose={(other) => choose(chosen.with(index, other))}
            />
            {index > 0 && action('↑', `Move ${column} up`, raised(index))}
            {several && action('×', `Leave out ${column}`, chosen.toSpliced(index, 1))}
          </li>
        ))}
      </ol>
      {(chosen.length === 0 || takesSeveral(field)) && (
        <ColumnChoice
          label={chosen.length === 0 ? 'Choose a column' : 'Join another column'}
          choose={(column) => choose([...chosen, column])}
        />
      )}
    </fieldset>
  );
}

/** A list of the file's columns with how far they are filled; those that no rule uses come first. */
export function ColumnChoice(props: {
  label: string;
  current?: string | undefined;
  choose(column: string): void;
}) {
  const { label, current, choose } = props;
  const { columns, usedBy } = useSession();
  const groups = [false, true].map((used) => ({
    title: used ? 'Used' : 'Not used yet',
    choices: columns
      .filter(({ name }) => (usedBy[name] !== undefined) === used)
      .map(({ name, filled, example }) => ({
        text: name,
        detail: `${Math.round(filled * 100)}% filled: ${example}`,
        choose: () => choose(name),
      })),
  }));
  return <ChoiceList label={label} current={current} groups={groups} />;
}
