import { AccessError, DocferryError, ServiceDownError } from '../../model/errors.js';
import type { Counts } from '../../model/record.js';
import type { Stop } from '../../outcomes/stop-conditions.js';
import type { Report } from '../../report/report.js';
import type { ThrowOn } from '../options.js';

/** How a run ended, and what ended it. */
export interface RunEnd {
  readonly report: Report;
  /** `undefined` if it went to its end. */
  readonly stop?: Stop | undefined;
}

/**
 * A run that has started and didn't do what it was for. `report` says what became of every record,
 * and `report.stop` why it ended early. `cause` is the error behind that: what the caller's own
 * iterable threw, the reason of its signal, an `AccessError`, a `ServiceDownError`, …; `undefined`
 * where there is none, as for `maxErrors`.
 */
export class RunFailedError extends DocferryError {
  override readonly name = 'RunFailedError';
  readonly exitCode: number;
  readonly report: Report;

  constructor(report: Report, cause: unknown) {
    super(messageOf(report), { cause });
    this.report = report;
    this.exitCode = report.exitCode;
  }
}

/** @throws RunFailedError if the run didn't end as it should */
export function throwIfFailed({ report, stop }: RunEnd, throwOn: ThrowOn): void {
  if (throwOn === 'never' || report.exitCode === 0) return;
  if (throwOn === 'stop' && FINISHED.has(report.exitCode)) return;
  throw new RunFailedError(report, stop && causeOf(stop));
}

/** The codes of runs that went to their end, though not every record was accepted. */
const FINISHED: ReadonlySet<number> = new Set([1, 5]);

function causeOf({ kind, message, cause }: Stop): unknown {
  if (kind === 'no-access') return new AccessError(message);
  return kind === 'service-down' ? new ServiceDownError(message) : cause;
}

function messageOf({ run, stop, counts }: Report): string {
  const early = stop === null ? 'did not accept everything' : `stopped early: ${stop.message}`;
  return `The run ${run} ${early.replace(/\.$/, '')} (${figures(counts)}).`;
}

/** Such as `500 records read: 490 accepted, 10 unsent`. */
function figures({ read, ...outcomes }: Counts): string {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  const each = some.map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `${read} ${read === 1 ? 'record' : 'records'} read${each === '' ? '' : `: ${each}`}`;
}
