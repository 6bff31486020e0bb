import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type History,
  opened,
  redone,
  shownRecord,
  undone,
  withEdit,
  withOutcome,
} from '../../../../src/studio/web/session/history.js';
import { runs } from '../../../helpers/runs.js';

/** Answers the next edit as a server would that appends its name to the text. */
function answered(history: History): History {
  const [edit] = history.pending;
  const { text = '' } = history;
  if (edit === undefined || typeof edit === 'function') return history;
  const name = edit.changes?.[0]?.path[0] ?? '';
  const answer = { written: null, shown: null, also: [], refusal: null, dropped: [] };
  return withOutcome(history, { edit, text }, { ...answer, text: `${text}${name}` });
}

/** The text once all edits are answered. */
function settled(history: History): string | undefined {
  return history.pending.length === 0 ? history.text : settled(answered(history));
}

describe('the history of a mapping', () => {
  it('ends alike whenever the server answers', () => {
    const act = fc.constantFrom('edit', 'undo', 'redo', 'answer');
    const property = fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      let slow = opened('');
      let fast = opened('');
      for (const [at, name] of acts.entries()) {
        const edit = { changes: [{ path: [String.fromCharCode(65 + at)] }] };
        const step = (history: History): History => {
          if (name === 'edit') return withEdit(history, edit);
          if (name === 'undo') return undone(history);
          return name === 'redo' ? redone(history) : history;
        };
        slow = name === 'answer' ? answered(slow) : step(slow);
        fast = answered(step(fast));
        expect(settled(slow)).toBe(fast.text);
      }
    });
    fc.assert(property, { numRuns: runs(200) });
  });
});

describe('the record in view', () => {
  const shown = (record: number) => ({
    place: { source: 'r.csv', record, line: record + 1 },
    outcome: 'valid' as const,
    record: {},
    document: null,
    problems: [],
    rules: [],
  });
  const answer = { written: null, also: [], refusal: null, dropped: [] };
  const edited = (record: number): History => ({
    ...opened('edited'),
    outcomes: [{ ...answer, text: 'edited', shown: shown(record) }],
  });
  /** The number of the record in view after an edit to one, when the text before showed another. */
  const inView = (edit: number, before: number | undefined, wanted: number | undefined) => {
    const evaluated = before === undefined ? undefined : { text: 'before', shown: shown(before) };
    return shownRecord(edited(edit), evaluated, wanted)?.place.record;
  };

  it('is the edited one, unless the user has moved on to one that is known', () => {
    expect(inView(1, 2, 2)).toBe(2);
    expect(inView(1, 1, 2)).toBe(1);
    expect(inView(3, 1, 3)).toBe(3);
    expect(inView(3, 1, undefined)).toBe(3);
    expect(inView(3, undefined, undefined)).toBe(3);
  });

  it('is that of the evaluation once there is one of the text', () => {
    expect(shownRecord(edited(1), { text: 'edited', shown: shown(2) }, 1)?.place.record).toBe(2);
  });
});
