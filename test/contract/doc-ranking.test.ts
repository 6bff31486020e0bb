import { describe, expect } from 'vitest';
import type { DocumentsQuery } from '../../src/api/index.js';
import type { CapturedDocument } from '../../src/sandbox/index.js';
import { AVAILABLE, CODES } from './availability.js';
import { message, metrics } from './message.js';
import { ALWAYS, expectOptionError, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

/**
 * The same four messages on every network, from the oldest to the newest. Every ranking orders
 * them in a way of its own, and none as they were published.
 */
const MESSAGES: readonly [string, Readonly<Record<string, number>>, followers: number][] = [
  ['a', { likes: 40, comments: 1, shares: 20, impressions: 30 }, 300],
  ['b', { likes: 10, comments: 40, shares: 10, impressions: 20 }, 400],
  ['c', { likes: 30, comments: 30, shares: 30, impressions: 10 }, 200],
  ['d', { likes: 20, comments: 20, shares: 40, impressions: 40 }, 100],
];

const ORDERS: Readonly<Record<string, string>> = {
  interactions: 'c d a b',
  likes: 'a c d b',
  comments: 'b c d a',
  shares: 'd c a b',
  impressions: 'd a b c',
  followers: 'b a c d',
};

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1);
  await sandbox.capture(1, CODES.flatMap(messagesOf));
});

function messagesOf(source: (typeof CODES)[number]): CapturedDocument[] {
  return MESSAGES.map(([key, values, followers], day) =>
    message(key, {
      source,
      published: `2024-05-0${day + 1}T00:00:00Z`,
      metrics: metrics(values),
      author: { sourceId: `author of ${key}`, metrics: metrics({ followers }) },
    }),
  );
}

const ask = (docRanking: string, viewSource?: string): Promise<string> =>
  service.client.documents
    .page({ monitorings: 1, ...ALWAYS, docRanking, viewSource } as DocumentsQuery)
    .then(({ documents }) => keysOf(documents).join(' '));

const refuses = async (docRanking: string, restriction: Record<string, string>): Promise<void> => {
  const form = { monitorings: '1', ...ALWAYS, docRanking, ...restriction };
  expectRefusal(await service.call('POST', '/5.0/documents', { form }));
  const byClient = service.client.documents.page({ ...form, monitorings: 1 } as never);
  await expectOptionError(byClient, docRanking);
};

describe('documents / docRanking', () => {
  for (const [ranking, sources] of Object.entries(AVAILABLE)) {
    for (const viewSource of sources) {
      const sentence = `${ranking}: available for viewSource ${viewSource}, descending`;
      rule('documents.ranking.available', sentence, async () => {
        expect(await ask(ranking, viewSource)).toBe(ORDERS[ranking]);
      });
    }
  }

  for (const viewSource of [undefined, ...CODES]) {
    const name = viewSource ? `with viewSource ${viewSource}` : 'without a viewSource';
    rule('documents.ranking.interactions', `interactions: available ${name}`, async () => {
      const order = viewSource ? ORDERS['interactions']! : everywhere(ORDERS['interactions']!);
      expect(await ask('interactions', viewSource)).toBe(order);
    });
  }
});

/** The page holds the first of all networks' messages, those of the same rank together. */
function everywhere(order: string): string {
  return order
    .split(' ')
    .flatMap((key) => CODES.map(() => key))
    .slice(0, 100)
    .join(' ');
}

/** The service refuses them, and so does the client before it asks. */
describe('documents / docRanking refused', () => {
  for (const [ranking, sources] of Object.entries(AVAILABLE)) {
    for (const viewSource of [undefined, ...CODES.filter((code) => !sources.includes(code))]) {
      rule('documents.ranking.refused', `${ranking}: not for viewSource ${viewSource}`, () =>
        refuses(ranking, viewSource === undefined ? {} : { viewSource }),
      );
    }
  }

  for (const [ranking, [source = '']] of Object.entries(AVAILABLE)) {
    rule('documents.ranking.sources', `${ranking}: sources=${source} does not enable it`, () =>
      refuses(ranking, { sources: source }),
    );
  }

  rule('documents.ranking.unknown', 'another ranking is refused', () =>
    refuses('beauty', { viewSource: 'TWT' }),
  );
});
