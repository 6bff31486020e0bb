/** What another program makes of a run's events. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Counts, Outcome, RecordOutcome, RunEvent } from '../../src/index.js';
import { OUTCOMES } from '../../src/model/record.js';
import { ROOT } from '../helpers/markdown.js';

/** A line of a file of events. */
export type EventLine = RunEvent & { readonly time: string; readonly run: string };

const schema = (name: string): object =>
  JSON.parse(readFileSync(path.join(ROOT, 'schemas', `${name}.schema.json`), 'utf8')) as object;
const ajv = new Ajv2020({ allowUnionTypes: true }).addSchema(
  schema('report'),
  'report.schema.json',
);
addFormats.default(ajv);
const validate = ajv.compile(schema('event'));

/** What is wrong with a line, by its schema. */
export function eventErrors(line: unknown): readonly unknown[] {
  return validate(line) ? [] : [{ line, errors: validate.errors }];
}

/** The lines of a file; none if there is no file yet. A piece of a line is none. */
export function linesOf(file: string): readonly EventLine[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {}
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as EventLine]));
}

/** What the last process has told. */
export interface Replayed {
  readonly counts: Counts;
  readonly perInput: Readonly<Record<string, Counts>>;
  /** The sourceIds of records with an outcome. */
  readonly ids: (outcome: Outcome) => readonly string[];
  /** Records of which several outcomes were told. */
  readonly twice: readonly string[];
}

/** Counts what a run's events tell, by what `schemas/event.schema.json` says and nothing else. */
export function replay(lines: readonly EventLine[]): Replayed {
  const counting = new Counting();
  const from = lines.findLastIndex(({ type }) => type === 'start');
  for (const line of lines.slice(Math.max(0, from))) counting.add(line);
  return counting.done();
}

type Figures = Record<keyof Counts, number>;

class Counting {
  readonly #perInput = new Map<string, Figures>();
  readonly #seen = new Set<string>();
  readonly #ids = new Map<Outcome, string[]>(OUTCOMES.map((outcome) => [outcome, []]));
  readonly #twice: string[] = [];

  add(event: EventLine): void {
    switch (event.type) {
      case 'start':
        for (const { name } of event.inputs) this.#perInput.set(name, zeros());
        break;
      case 'read':
        this.#of(event.source).read += event.records;
        this.#of(event.source).skipped += event.skipped;
        break;
      case 'carried-over':
        this.#of(event.source).read += event.records;
        this.#of(event.source)[event.outcome] += event.records;
        break;
      case 'outcome':
        for (const record of event.records) this.#settle(event.outcome, record);
        break;
      default:
    }
  }

  done(): Replayed {
    const counts = zeros();
    for (const own of this.#perInput.values()) {
      own.unsent += own.read - OUTCOMES.reduce((sum, outcome) => sum + own[outcome], 0);
      for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += own[name];
    }
    const perInput = Object.fromEntries(this.#perInput);
    return { counts, perInput, ids: (outcome) => this.#ids.get(outcome) ?? [], twice: this.#twice };
  }

  #settle(outcome: Outcome, { place, sourceId }: RecordOutcome): void {
    const name = `${place.source}:${place.record}`;
    if (this.#seen.has(name)) this.#twice.push(name);
    this.#seen.add(name);
    this.#of(place.source)[outcome] += 1;
    if (sourceId !== null) this.#ids.get(outcome)?.push(sourceId);
  }

  #of(source: string): Figures {
    return this.#perInput.get(source) as Figures;
  }
}

function zeros(): Figures {
  return Object.fromEntries(['read', ...OUTCOMES].map((name) => [name, 0])) as Figures;
}
