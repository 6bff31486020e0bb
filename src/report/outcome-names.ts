import type { Outcome } from '../model/record.js';
import type { Report } from './report.js';

const MEANINGS: Readonly<Record<Outcome, string>> = {
  skipped: 'skipped by the mapping, or a repeated header',
  invalid: 'not sent: see the problems',
  duplicate: 'repeated, or imported by an earlier run',
  accepted: 'accepted by the service',
  rejected: 'rejected by the service',
  unknown: 'outcome unknown: check before sending them again',
  unsent: 'not sent',
};

/** Explains an outcome. */
export function meaningOf(outcome: Outcome, command: Report['command']): string {
  const isValid = command === 'validate' && outcome === 'unsent';
  return isValid ? 'can be imported' : MEANINGS[outcome];
}

/** Names an outcome. A validation sends nothing, so its unsent records are valid. */
export function nameOfOutcome(outcome: Outcome, command: Report['command']): string {
  return command === 'validate' && outcome === 'unsent' ? 'valid' : outcome;
}
