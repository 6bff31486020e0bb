import { expect, it } from 'vitest';
import type { Counts } from '../../src/model/record.js';
import type { StopKind } from '../../src/outcomes/stop-conditions.js';
import type { Report } from '../../src/report/report.js';
import { exitCodeOf } from '../../src/report/report.js';
import { countsWith } from './fixtures.js';

type Facts = Pick<Report, 'command' | 'status' | 'stop' | 'counts'>;

function facts(counts: Partial<Counts>, stop: StopKind | null = null): Facts {
  const status = stop === null ? 'finished' : stop === 'interrupted' ? stop : 'stopped';
  return {
    command: 'import',
    status,
    stop: stop === null ? null : { kind: stop, message: 'because' },
    counts: countsWith(counts),
  };
}

it.each<[number, string, Facts]>([
  [0, 'all went well', facts({ read: 6, accepted: 3, skipped: 2, duplicate: 1 })],
  [1, 'a record is invalid', facts({ read: 2, accepted: 1, invalid: 1 })],
  [1, 'a record is rejected', facts({ read: 2, accepted: 1, rejected: 1 })],
  [5, 'a fate is unknown, whatever is invalid', facts({ read: 2, unknown: 1, invalid: 1 })],
  [4, 'it stopped early, whatever is unknown', facts({ read: 2, unknown: 2 }, 'service-down')],
  [4, 'something is left unsent by an import', facts({ read: 1, unsent: 1 })],
  [3, 'access was refused', facts({ read: 2, unsent: 1, unknown: 1 }, 'no-access')],
  [130, 'it was interrupted', facts({ read: 2, unknown: 1, unsent: 1 }, 'interrupted')],
  [0, 'validate found all valid', { ...facts({ read: 2, unsent: 2 }), command: 'validate' }],
  [
    1,
    'validate found an invalid one',
    { ...facts({ read: 2, unsent: 1, invalid: 1 }), command: 'validate' },
  ],
])('is %i when %s', (code, _, given) => {
  expect(exitCodeOf(given)).toBe(code);
});
