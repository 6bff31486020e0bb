/** First screen: what happened, the outcome of every record, and the next command. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, duration, thousands } from '../../model/figures.js';
import { OUTCOMES, type Outcome } from '../../model/record.js';
import { nextCommand } from '../next-command.js';
import { type ExitCode, exitText, type Report } from '../report.js';
import { headline, meaningOf } from '../report-text.js';
import { Foreign, OutcomeBar, outcomesText, percent } from './parts.js';

export function Verdict({ report }: { readonly report: Report }): JSX.Element {
  const [first = '', ...others] = headline(report);
  const { counts } = report;
  return (
    <section id="verdict" class={`verdict ${TONES[report.exitCode]}`} aria-labelledby="headline">
      <p class="exit">
        <strong>{`Exit code ${report.exitCode}`}</strong> {exitText(report)}
      </p>
      <h1 id="headline">
        <Foreign text={first} />
      </h1>
      {others.map((line) => (
        <p>
          <Foreign text={line} />
        </p>
      ))}
      <OutcomeBar counts={counts} />
      <p class="sum">{`${thousands(counts.read)} read = ${outcomesText(counts)}`}</p>
      <Outcomes report={report} />
      <Next report={report} />
    </section>
  );
}

const TONES: Readonly<Record<ExitCode, 'good' | 'mixed' | 'bad'>> = {
  0: 'good',
  1: 'mixed',
  3: 'bad',
  4: 'bad',
  5: 'mixed',
  130: 'bad',
};

function Outcomes({ report }: { readonly report: Report }): JSX.Element {
  const { counts } = report;
  return (
    <dl class="outcomes">
      <div>
        <dt>read</dt>
        <dd>
          <b data-count="read">{thousands(counts.read)}</b>
          <span>{facts(report)}</span>
        </dd>
      </div>
      {OUTCOMES.map((outcome) => (
        <div class={counts[outcome] === 0 ? `is-${outcome} none` : `is-${outcome}`}>
          <dt>{outcome}</dt>
          <dd>
            <b data-count={outcome}>{thousands(counts[outcome])}</b>
            <span>{tileText(report, outcome)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function tileText({ command, counts }: Report, outcome: Outcome): string {
  if (counts[outcome] === 0) return 'none';
  return `${percent(counts[outcome], counts.read)}, ${meaningOf(outcome, command)}`;
}

function facts({ elapsedMs, recordsPerSecond, inputs }: Report): string {
  const from = `from ${count(inputs.length, 'input')}`;
  return `${from} in ${duration(elapsedMs)}, ${thousands(recordsPerSecond)} a second`;
}

function Next({ report }: { readonly report: Report }): JSX.Element {
  const { why, command } = nextCommand(report);
  return (
    <div class="next">
      <p>{why}</p>
      <p class="command">
        <code>{command}</code>
        <button type="button" class="copy" hidden>
          Copy
        </button>
      </p>
    </div>
  );
}
