/** The conditions that leave records out: in words, and the changes that add and remove them. */
import { useState } from 'preact/hooks';
import type { MappingChange } from '../../../mapping/load/edit-mapping.js';
import type { SkipCondition } from '../../../mapping/mapping.js';
import { conditionText } from '../../../mapping/mapping-text.js';
import { isObject } from '../../../model/record.js';
import { ChoiceList } from '../choice-list.js';
import { Button, counted, untrusted } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import { useSession } from '../session/use-session.js';
import { ColumnChoice } from './columns.js';

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
    text: value || 'blank',
    detail: `leaves out ${counted(records, 'record')}`,
    choose: () => {
      edit((latest) => ({ changes: skipChanges(latest, column, value) }));
      close(undefined);
    },
  }));
  if (choices === undefined) return null;
  return <ChoiceList label="Choose a value" groups={[{ title: 'Values', choices }]} />;
}

/** @param written a parsed mapping, which may have mistakes */
function skipsOf(written: unknown): readonly SkipCondition[] {
  const skip = isObject(written) ? written['skip'] : undefined;
  return Array.isArray(skip) ? (skip.filter(isObject) as unknown as SkipCondition[]) : [];
}

/** The change that leaves out records with this value, added to a condition on the same column. */
export function skipChanges(
  written: unknown,
  column: string,
  value: unknown,
): readonly MappingChange[] {
  const skips = skipsOf(written);
  const isBlank = value === null || String(value).trim() === '';
  const text = typeof value === 'string' ? value.trim() : (value as string);
  const same = skips.findIndex(
    (one) => one.from === column && one.in !== undefined && one.blank === undefined,
  );
  const test = isBlank ? { blank: true } : { in: [text] };
  const added = { from: column, ...test };
  const values = isBlank ? undefined : skips[same]?.in;
  if (values?.includes(text) || skips.some((one) => isEqual(one, added))) return [];
  if (values) return [{ path: ['skip', same, 'in'], value: [...values, text] }];
  return [{ path: ['skip', '-'], value: added }];
}

/** The change that removes a condition; none if there is no such condition. */
function keepChanges(written: unknown, condition: SkipCondition): readonly MappingChange[] {
  const index = skipsOf(written).findIndex((one) => isEqual(one, condition));
  return index < 0 ? [] : [{ path: ['skip', index] }];
}

function isEqual(one: SkipCondition, other: SkipCondition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
