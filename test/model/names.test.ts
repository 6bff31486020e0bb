import { describe, expect, it } from 'vitest';
import { createClient, createLegacyClient } from '../../src/api/index.js';
import {
  guessMapping,
  importDocuments,
  learnExpectations,
  OptionError,
  previewDocuments,
  pruneRuns,
  resolveRun,
  validateDocuments,
  verifyRun,
} from '../../src/index.js';
import { nearestName } from '../../src/model/errors.js';
import { startSandbox } from '../../src/sandbox/index.js';

const connection = { baseUrl: 'http://127.0.0.1:1/5.0', username: 'u', apiKey: 'k' };
const mapping = { document: { sourceId: '{id}' } };
const records = { input: [{ id: '1' }], mapping };
const kept = { stateDir: 'state', run: '1', connection };

/** Each call with what it is given besides. TypeScript refuses most of it, JavaScript doesn't. */
type Call = (more: object) => unknown;
const CALLS: Readonly<Record<string, readonly [Call, string, string]>> = {
  importDocuments: [
    (more) => importDocuments({ stateDir: false, ...records, monitoring: 1, connection, ...more }),
    'concurency',
    'concurrency',
  ],
  validateDocuments: [
    (more) => validateDocuments({ ...records, ...more }),
    'maxerror',
    'maxErrors',
  ],
  previewDocuments: [
    (more) => previewDocuments({ ...records, ...more }).next(),
    'recrod',
    'record',
  ],
  learnExpectations: [(more) => learnExpectations({ ...records, ...more }), 'asof', 'asOf'],
  guessMapping: [(more) => guessMapping({ input: records.input, ...more }), 'sources', 'source'],
  pruneRuns: [
    (more) => pruneRuns({ stateDir: 'state', olderThanDays: 1, ...more }),
    'olderThanDay',
    'olderThanDays',
  ],
  resolveRun: [(more) => resolveRun({ ...kept, ...more }), 'quietMS', 'quietMs'],
  verifyRun: [(more) => verifyRun({ ...kept, ...more }), 'lookforMs', 'lookForMs'],
  createClient: [(more) => createClient(connection, more), 'conections', 'connections'],
  createLegacyClient: [(more) => createLegacyClient(connection, more), 'connexions', 'connections'],
  startSandbox: [(more) => startSandbox(more), 'prot', 'port'],
};

describe('an option that does not exist', () => {
  it.each(Object.entries(CALLS))('is refused by %s with the nearest name', async (_, call) => {
    const [run, slip, meant] = call;
    const error = await errorOf(() => run({ [slip]: 1 }));
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toContain(`has no option "${slip}"; did you mean "${meant}"?`);
  });

  it('is refused inside of connection and source, too', async () => {
    const slip = { ...connection, timeout: 5 };
    const expected = 'connection has no option "timeout"; did you mean "timeoutMs"?';
    const importing = () =>
      importDocuments({ stateDir: false, ...records, monitoring: 1, connection: slip });
    expect((await errorOf(importing)).message).toBe(expected);
    expect((await errorOf(() => createClient(slip))).message).toBe(expected);
    const source = { delimeter: ';' } as object;
    expect((await errorOf(() => validateDocuments({ ...records, source }))).message).toBe(
      'source has no option "delimeter"; did you mean "delimiter"?',
    );
    expect((await errorOf(() => guessMapping({ input: records.input, source }))).message).toContain(
      '"delimeter"',
    );
  });
});

describe('options', () => {
  it('that are missing altogether, or no object, are refused by name', async () => {
    const error = await errorOf(() => validateDocuments(undefined as never));
    expect(error.message).toBe('The options of validateDocuments are missing; expected an object.');
  });

  it('of an import may stand in those of a validation, so that both can be given the same', async () => {
    const options = { ...records, monitoring: 1, connection, concurrency: 2 };
    expect((await validateDocuments(options)).counts.read).toBe(1);
  });
});

it.each([
  ['band', ['bands', 'hand', 'date'], 'bands'],
  ['Review ID', ['review_id', 'Rating'], 'review_id'],
  ['sourceid', ['source', 'sourceId'], 'sourceId'],
  ['Titel', ['Title', 'Text'], 'Title'],
  ['xyz', ['Title', 'Text'], undefined],
  ['', ['a'], undefined],
  ['a', [], undefined],
])('the nearest to %j among %j is %j', (name, candidates, nearest) => {
  expect(nearestName(name, candidates)).toBe(nearest);
});

async function errorOf(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  return expect.fail('nothing was refused');
}
