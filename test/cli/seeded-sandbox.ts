import type { CapturedDocument } from '../../src/sandbox/input/captured-documents.js';
import { environmentOf } from '../helpers/run-cli.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';

/** A sandbox with documents in monitoring 1, and what a command needs to reach it. */
export interface SeededSandbox extends TestSandbox {
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a sandbox for the running test, with these documents in its monitoring 1. */
export async function startSeeded(
  documents: readonly CapturedDocument[] = [],
): Promise<SeededSandbox> {
  const sandbox = await startTestSandbox();
  await sandbox.ensureMonitoring(1, 'Hotels');
  await sandbox.capture(1, documents);
  return { ...sandbox, env: environmentOf(sandbox) };
}

/** A review, the one with the highest number published and downloaded last. */
export function review(number: number, more: Partial<CapturedDocument> = {}): CapturedDocument {
  const at = new Date(Date.UTC(2024, 4, 1, 0, number)).toISOString().replace('.000', '');
  return {
    source: 'RVW',
    sourceId: `r${number}`,
    text: `Review ${number}`,
    language: 'en',
    sentiment: 'B',
    published: at,
    downloaded: at,
    metrics: [{ name: 'score', value: 9.5 }],
    author: {
      sourceId: `a${number % 2}`,
      username: `user${number % 2}`,
      name: `Ana ${number % 2}`,
    },
    ...more,
  };
}

/** As many reviews as are wanted, from number 1. */
export function reviews(count: number): readonly CapturedDocument[] {
  return Array.from({ length: count }, (_, at) => review(at + 1));
}

/** The sourceIds in what a command wrote as JSON Lines. */
export function idsOf(jsonl: string): string[] {
  const lines = jsonl.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line).sourceId);
}
