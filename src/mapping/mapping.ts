/**
 * Types of mapping files. A checked mapping is plain data: it can be stored as JSON and sent to a
 * worker thread, which compiles it there.
 */
import type { InputOptions } from '../formats/options.js';

/** A checked mapping with its defaults filled in. */
export interface Mapping {
  /** Shown in messages and reports; the file's name by default. */
  readonly name: string;
  readonly input: InputOptions;
  /** `minimal` if the export can't fill every field. */
  readonly profile: 'complete' | 'minimal';
  /** IANA zone of dates without an offset. */
  readonly zone: string;
  /** Languages of month names and case changes. */
  readonly locale: Locales;
  /** Moment (ISO 8601) that relative dates count back from. */
  readonly asOf?: string;
  /**
   * With `same-review`, a repeated sourceId is a duplicate if the review is the same, even if other
   * content differs.
   */
  readonly duplicates?: 'same-review';
  readonly document: DocumentRules;
  readonly skip: readonly SkipCondition[];
  readonly tests: readonly MappingTest[];
  /**
   * Typical figures of files with this layout; a file that differs stops the run before sending.
   */
  readonly expects?: Expectations;
}

/**
 * A mapping as written, in a file or by a program; absent keys have defaults. A test checks this
 * type against `schemas/mapping.schema.json`.
 */
export interface WrittenMapping extends Partial<Omit<Mapping, 'document'>> {
  readonly $schema?: string;
  readonly layout?: MappingLayout;
  readonly document: DocumentRules;
}

/** Layout that a built-in mapping is for; other mappings don't need it. */
export interface MappingLayout {
  readonly export: string;
  readonly kind: 'travel' | 'places' | 'apps' | 'shops' | 'surveys';
  /** The whole header, in order; for objects, keys and paths that every file has. */
  readonly columns: readonly string[];
  /** Whether other columns may come in between, like the questions of a survey. */
  readonly more?: boolean;
  /** Sources of the mapping, in Markdown. */
  readonly basis: string;
}

/** Figures of a good file, as measured by `docferry mapping learn`. Shares are from 0 to 1. */
export interface Expectations {
  readonly records: number;
  /** The header; absent if records are objects. */
  readonly columns?: readonly string[];
  /** Share of records in which a column is blank, for each column that the mapping names. */
  readonly blank: Readonly<Record<string, number>>;
  readonly invalid: number;
  readonly skipped: number;
  /** Minimum and maximum of each metric. */
  readonly metrics: Readonly<Record<string, readonly [number, number]>>;
  /** First and last day, `yyyy-MM-dd`; absent without dates. */
  readonly published?: readonly [string, string];
  /** Share of each language among documents that have one. */
  readonly languages: Readonly<Record<string, number>>;
  /** Median length of texts in characters; absent without texts. */
  readonly textLength?: number;
}

export type Scalar = string | number | boolean;

/** A template, a constant, or an input with steps. */
export type Rule = Scalar | RuleObject;

/** An input (exactly one of the first six keys) and its steps. */
export interface RuleObject {
  readonly from?: string | readonly string[];
  readonly text?: string;
  readonly join?: readonly Rule[];
  readonly hash?: readonly Rule[];
  readonly detect?: Rule;
  readonly value?: Scalar;

  /** Separator of joined values; a space by default. */
  readonly with?: string;
  readonly trim?: boolean;
  readonly repair?: 'encoding';
  readonly strip?: 'html';
  readonly match?: string;
  readonly replace?: Replacements | readonly Replacements[];
  readonly case?: 'lower' | 'upper';
  readonly split?: string;
  readonly values?: Readonly<Record<string, Scalar>>;
  /** A value that `values` doesn't list is an error, instead of giving nothing. */
  readonly unlisted?: 'invalid';
  readonly number?: DecimalMark;
  readonly scale?: Scale;
  /** Number of decimals. */
  readonly round?: number;
  readonly bands?: Readonly<Record<string, number>>;
  readonly date?: string | readonly string[];
  readonly zone?: string;
  readonly locale?: Locales;
  /** ISO 8601, or a rule that gives it: overrides the mapping's. */
  readonly asOf?: string | RuleObject;
  /** Maximum length in grapheme clusters. */
  readonly truncate?: number;
  /**
   * Drops the value if this text begins with it, for example a title that repeats the text's start.
   */
  readonly unlessStartOf?: Rule;
  readonly else?: Rule;
  /** `else` applies to unreadable values, too. */
  readonly onError?: 'else';
}

/** One or more BCP 47 tags: dates are read in the first that fits, case changes by the first. */
export type Locales = string | readonly string[];

/** Replacement text by regular expression, applied in order. */
export type Replacements = Readonly<Record<string, string>>;

export type DecimalMark = '.' | ',';

/** Linear mapping from one range to another, bounds included. */
export interface Scale {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

export const TEXT_FIELDS = [
  'source',
  'sourceId',
  'parentSourceId',
  'text',
  'language',
  'sentiment',
  'published',
  'downloaded',
  'url',
] as const;

type TextField = (typeof TEXT_FIELDS)[number];

export interface DocumentRules extends Readonly<Partial<Record<TextField, Rule>>> {
  /** A rule for each level, or rules that give `<level>: <name>`. */
  readonly detectedLocations?: LocationRules | readonly Rule[];
  readonly metrics?: Readonly<Record<string, Rule>>;
  readonly tags?: readonly Rule[];
  readonly author?: AuthorRules;
}

export type LocationRules = {
  readonly country?: Rule;
  readonly 'region of the country'?: Rule;
  readonly state?: Rule;
  readonly city?: Rule;
};

export interface AuthorRules {
  readonly source?: Rule;
  readonly sourceId?: Rule;
  readonly username?: Rule;
  readonly annotations?: Readonly<Record<string, Rule>>;
}

/** Condition on which a record is skipped: `from`, and exactly one test. */
export interface SkipCondition {
  readonly from: string | readonly string[];
  /** With `blank`, these values count as blank. */
  readonly in?: readonly Scalar[];
  readonly blank?: boolean;
  readonly matches?: string;
  readonly below?: number;
  readonly above?: number;
  /** Decimal mark of the numbers tested by `below` and `above`; a point by default. */
  readonly number?: DecimalMark;
}

/** A record and its expected result: exactly one of `document`, `skipped`, `invalid`. */
export interface MappingTest {
  readonly name?: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** Expected fields; others are ignored. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly skipped?: true;
  /** Fields expected to be unreadable. */
  readonly invalid?: readonly string[];
  readonly asOf?: string;
}
