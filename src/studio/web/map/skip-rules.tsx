/** Conditions that leave records out, in words. */
import { useState } from 'preact/hooks';
import { ChoiceList } from '../choice-list.js';
import { Button, counted, untrusted } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import { useSession } from '../session/use-session.js';
import { ColumnChoice } from './columns.js';
import { conditionText, keepChanges, skipChanges, skipsOf } from './skip-conditions.js';

export function SkipRules() {
  const { written, edit } = useSession();
  return (
    <section class="group">
      <h3>Records left out</h3>
      <ul class="fields">
        {skipsOf(written).map((condition) => (
          <li key={JSON.stringify(condition)} class="row">
            {untrusted(conditionText(condition))}
            <Button
              text="Keep them"
              onClick={() => edit((latest) => ({ changes: keepChanges(latest, condition) }))}
            />
          </li>
        ))}
      </ul>
      <NewCondition />
    </section>
  );
}

function NewCondition() {
  const [column, choose] = useState<string>();
  return (
    <div class="row">
      <ColumnChoice label="Add a condition" current={column} choose={choose} />
      {column !== undefined && <ValueChoice key={column} column={column} close={choose} />}
    </div>
  );
}

/** Leaves out the records with a value, after a look at how many there are. */
function ValueChoice({ column, close }: { column: string; close(column: undefined): void }) {
  const { text, edit } = useSession();
  const { answer } = useAnswer((signal) => ask('values', { text, column }, signal), [text]);
  const choices = answer?.values.map(({ value, records }) => ({
    text: value || 'empty',
    detail: `leaves out ${counted(records, 'record')}`,
    choose: () =>
      edit((latest) => ({ changes: skipChanges(latest, column, value) })).then(() =>
        close(undefined),
      ),
  }));
  if (choices === undefined) return null;
  return <ChoiceList label="Choose a value" groups={[{ title: 'Values', choices }]} />;
}
