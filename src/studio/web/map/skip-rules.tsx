/** Conditions that leave records out, in words. */
import { useState } from 'preact/hooks';
import type { MappingChange } from '../../../index.js';
import type { SkipCondition } from '../../../mapping/mapping.js';
import { isObject } from '../../../model/record.js';
import type { ValuesAnswer } from '../../wire.js';
import { ChoiceList } from '../choice-list.js';
import { Button, counted, untrusted } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import { useSession } from '../session/use-session.js';
import { ColumnChoice } from './columns.js';

function skipsOf(written: unknown): readonly SkipCondition[] {
  const skip = isObject(written) ? written['skip'] : undefined;
  return Array.isArray(skip) ? (skip.filter(isObject) as unknown as SkipCondition[]) : [];
}

export function SkipRules() {
  const { written, changeLatest } = useSession();
  const keep = (condition: SkipCondition) =>
    changeLatest((latest) => {
      const index = skipsOf(latest).findIndex((one) => isEqual(one, condition));
      return index < 0 ? [] : [{ path: ['skip', index] }];
    });
  return (
    <section class="group">
      <h3>Records left out</h3>
      <ul class="fields">
        {skipsOf(written).map((condition) => (
          <li key={JSON.stringify(condition)} class="row">
            {untrusted(conditionText(condition))}
            <Button text="Keep them" onClick={() => keep(condition)} />
          </li>
        ))}
      </ul>
      <NewCondition />
    </section>
  );
}

function NewCondition() {
  const [column, choose] = useState<string>();
  const chosen = () => choose(undefined);
  return (
    <div class="row">
      <ColumnChoice label="Add a condition" current={column} choose={choose} />
      {column !== undefined && <ValueChoice key={column} {...{ column, chosen }} />}
    </div>
  );
}

/** Leaves out the records with a value, after a look at how many there are. */
function ValueChoice({ column, chosen }: { column: string; chosen(): void }) {
  const { text, changeLatest } = useSession();
  const { answer } = useAnswer(
    (signal) => ask<ValuesAnswer>('/api/values', { body: { text, column }, signal }),
    [text],
  );
  const choices = answer?.values.map(({ value, records }) => ({
    text: value || 'empty',
    detail: `leaves out ${counted(records, 'record')}`,
    choose: () => changeLatest((latest) => skipChanges(latest, column, value)).then(chosen),
  }));
  if (choices === undefined) return null;
  return <ChoiceList label="Choose a value" groups={[{ title: 'Values', choices }]} />;
}

function conditionText(condition: SkipCondition): string {
  const { from, in: values, blank, matches, below, above } = condition;
  const column = [from].flat().join(' and ');
  if (blank !== undefined) {
    return `${column} ${blank ? 'is' : 'is not'} ${['empty', ...(values ?? [])].join(' or ')}`;
  }
  if (values !== undefined) return `${column} = ${values.join(' or ')}`;
  if (matches !== undefined) return `${column} matches ${matches}`;
  return below === undefined ? `${column} is above ${above}` : `${column} is below ${below}`;
}

function isEqual(one: SkipCondition, other: SkipCondition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
