import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProblemExample, ProblemGroup } from '../../src/outcomes/tally.js';
import { reportAnnotations } from '../../src/report/annotations.js';
import { runs } from '../helpers/runs.js';
import { reportWith } from './fixtures.js';

function example(changes: Partial<ProblemExample> = {}): ProblemExample {
  const place = { source: 'exports/r.csv', record: 12, line: 30 };
  return { ...place, field: 'text', message: 'text is missing', ...changes };
}

function group(kind: ProblemGroup['kind'], ...examples: ProblemExample[]): ProblemGroup {
  return { kind, count: examples.length, fields: {}, examples };
}

const linesOf = (...problems: ProblemGroup[]): readonly string[] =>
  reportAnnotations(reportWith({ problems })).split('\n').slice(0, -1);

/** Reads a workflow command as the runner of GitHub does. */
function readCommand(line: string): {
  readonly level: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
} {
  const [, level = '', list = '', message = ''] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? [];
  const unescaped = (text: string): string =>
    text.replaceAll(/%(0D|0A|3A|2C|25)/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  const properties = list.split(',').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    return [name, unescaped(value)];
  });
  return { level, properties: Object.fromEntries(properties), message: unescaped(message) };
}

describe('annotations', () => {
  it('are empty if all is well', () => {
    expect(reportAnnotations(reportWith())).toBe('');
  });

  it('say where a record is wrong, and warn of what costs none', () => {
    expect(linesOf(group('known', example()), group('missing-field', example()))).toEqual([
      '::error file=exports/r.csv,line=30,title=missing-field::exports/r.csv, record 12, line 30: text is missing',
      '::warning file=exports/r.csv,line=30,title=known::exports/r.csv, record 12, line 30: text is missing',
    ]);
  });

  it('name no line that is not there, and no file that is none', () => {
    const sources = ['book.xlsx', 'stdin', 'records', 'https://example.com/r.csv'];
    const examples = sources.map((source) => example({ source, line: null }));
    expect(
      linesOf(group('blank', ...examples)).map((line) => readCommand(line).properties),
    ).toEqual([{ file: 'book.xlsx', title: 'blank' }, ...Array(3).fill({ title: 'blank' })]);
  });

  it('are at most ten of each level, of as many kinds as there are', () => {
    const five = [1, 2, 3, 4, 5].map((record) => example({ record }));
    const errors = (['blank', 'too-long', 'bad-format'] as const).map((kind) =>
      group(kind, ...five),
    );
    const warnings = (['known', 'unknown', 'duplicate'] as const).map((kind) =>
      group(kind, ...five),
    );
    const commands = linesOf(...errors, ...warnings).map(readCommand);
    expect(commands.map(({ level }) => level)).toEqual([
      ...Array(10).fill('error'),
      ...Array(10).fill('warning'),
    ]);
    const titles = commands.slice(0, 4).map(({ properties }) => properties['title']);
    expect(titles).toEqual(['blank', 'too-long', 'bad-format', 'blank']);
  });

  it('begin with what ended the run', () => {
    const stop = { kind: 'service-down', message: 'it is down' } as const;
    const report = reportWith({ status: 'stopped', stop, problems: [group('blank', example())] });
    expect(reportAnnotations(report)).toMatch(
      /^::error title=docferry::Stopped early: it is down\.\n::error file=/,
    );
  });

  it('are a line each, whatever a name or a message holds', () => {
    const unit = fc.constantFrom(...'a:,%=\r\n "é0AD25'.split(''));
    const texts = fc.string({ unit, minLength: 1 });
    fc.assert(
      fc.property(texts, texts, (source, message) => {
        const lines = linesOf(group('blank', example({ source, message })));
        expect(lines).toHaveLength(1);
        const { properties, message: said } = readCommand(lines[0] ?? '');
        expect(properties).toEqual({ file: source, line: '30', title: 'blank' });
        const shown = message.replaceAll('\r', '\\u000d').replaceAll('\n', '\\u000a');
        expect(said.endsWith(`: ${shown}`)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});
