import { expect } from 'vitest';
import type { FaultRule } from '../../src/sandbox/index.js';
import { eachSample } from '../helpers/runs.js';
import { idsOf, rehearse } from './rehearsal.js';

eachSample()(['error', 'stored'] as const)(
  'of a batch that is stored in part, with an answer "%s", only what is missing is sent again',
  async (answer) => {
    const size = 8;
    // Every second request stores 0, 1, 2 … all of its documents; those between go well.
    const rules = Array.from({ length: size + 1 }, (_, stored): FaultRule => {
      return { on: 'import', requests: [2 * stored + 2], apply: { documents: stored, answer } };
    });
    // All that is stored with an answer that says so is no fault.
    if (answer === 'stored') rules.pop();
    const records = size * (2 * size + 4);
    const { run, shown, sent, service } = await rehearse({ records, rules });
    const report = await run({ batchSize: size });
    expect(report).toMatchObject({ exitCode: 0, counts: { accepted: records } });
    expect(await shown()).toEqual(idsOf(records));

    const missing = rules.flatMap((_, at) => service.imports[2 * at + 1]!.ids.slice(at));
    expect(sent().slice(records).toSorted()).toEqual(missing.toSorted());
  },
);
