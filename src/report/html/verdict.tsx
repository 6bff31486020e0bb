/** First screen: what happened, the outcome of every record, and the next command. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { count, duration, percent, thousands } from '../../model/figures.js';
import { OUTCOMES, type Outcome } from '../../model/record.js';
import { nextCommand } from '../next-command.js';
import { exitText, type Report, toneOf } from '../report.js';
import { headline, meaningOf, nameOfOutcome } from '../report-text.js';
import { Foreign, OutcomeBar, outcomesText } from './parts.js';

export function Verdict({ report }: { readonly report: Report }): JSX.Element {
  const [first = '', ...others] = headline(report);
  const { counts } = report;
  const next = nextCommand(report);
  return (
    <section id="verdict" class={`verdict ${toneOf(report.exitCode)}`} aria-labelledby="headline">
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
      <p class="sum">{`${thousands(counts.read)} read = ${outcomesText(counts, report.command)}`}</p>
      <Outcomes report={report} />
      <div class="next">
        <p>{next.why}</p>
        <p class="command">
          <code>{next.command}</code>
        </p>
      </div>
    </section>
  );
}

function Outcomes({ report }: { readonly report: Report }): JSX.Element {
  const { command, counts } = report;
  return (
    <dl class="outcomes">
      {(['read', ...OUTCOMES] as const).map((outcome) => (
        <div class={`is-${outcome}${counts[outcome] === 0 ? ' none' : ''}`}>
          <dt>{outcome === 'read' ? outcome : nameOfOutcome(outcome, command)}</dt>
          <dd>
            <b data-count={outcome}>{thousands(counts[outcome])}</b>
            <span>{outcome === 'read' ? facts(report) : tileText(report, outcome)}</span>
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
