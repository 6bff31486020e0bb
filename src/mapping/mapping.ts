/**
 * The shape of a mapping file. A checked mapping is plain data: it can be written as JSON, kept,
 * and handed to a worker thread, which compiles it there.
 */
import type { InputOptions } from '../formats/options.js';

/** A checked mapping, defaults filled in. */
export interface Mapping {
  /** For messages and reports; the file's name unless the mapping states one. */
  readonly name: string;
  /** What it says about how its source is to be read. */
  readonly input: InputOptions;
  /** `minimal` says that the export can't fill every field. */
  readonly profile: 'complete' | 'minimal';
  /** IANA zone of dates that carry no offset. */
  readonly zone: string;
  /** Of month names, and of how letters change case. */
  readonly locale: Locales;
  /** ISO 8601: the moment that relative dates count back from. */
  readonly asOf?: string;
  /** A record whose sourceId came before is a duplicate if its review is the same, not its content. */
  readonly duplicates?: 'same-review';
  readonly document: DocumentRules;
  readonly skip: readonly SkipCondition[];
  readonly tests: readonly MappingTest[];
  /** What a file of this layout looks like; a file that differs stops the run before it sends. */
  readonly expects?: Expectations;
}

/**
 * A mapping as it is written, in a file or by a program: what is left out has a default. Held
 * against `schemas/mapping.schema.json` by a test.
 */
export interface WrittenMapping extends Partial<Omit<Mapping, 'document'>> {
  /** Where editors find the schema; docferry does not look at it. */
  readonly $schema?: string;
  readonly layout?: MappingLayout;
  readonly document: DocumentRules;
}

/** Which layout a mapping that comes with docferry is for; others need none. */
export interface MappingLayout {
  /** What the export is. */
  readonly export: string;
  readonly kind: 'travel' | 'places' | 'apps' | 'shops' | 'surveys';
  /** The whole header, in order; of objects, keys and paths that each file has. */
  readonly columns: readonly string[];
  /** Whether other columns stand between those, as the questions of a survey do. */
  readonly more?: boolean;
  /** What the mapping rests on, in Markdown. */
  readonly basis: string;
}

/** What a good file looks like, as `docferry mapping learn` finds it. Shares are from 0 to 1. */
export interface Expectations {
  /** How many records it was learned from. */
  readonly records: number;
  /** The header; absent where records are objects. */
  readonly columns?: readonly string[];
  /** The share of records that have nothing in a column, for each column that the mapping names. */
  readonly blank: Readonly<Record<string, number>>;
  /** The shares of records that are invalid or skipped. */
  readonly invalid: number;
  readonly skipped: number;
  /** The smallest and the largest number of each metric. */
  readonly metrics: Readonly<Record<string, readonly [number, number]>>;
  /** The first and the last day, `yyyy-MM-dd`; absent if there are no dates. */
  readonly published?: readonly [string, string];
  /** The share of each language among the documents that have one. */
  readonly languages: Readonly<Record<string, number>>;
  /** The median of the texts' lengths in characters; absent if there are no texts. */
  readonly textLength?: number;
}

/** One value as a mapping or a column holds it. */
export type Scalar = string | number | boolean;

/** How a value comes about: a template, a constant, or an input with its steps. */
export type Rule = Scalar | RuleObject;

/** An input (exactly one of the first six) and the steps it goes through. */
export interface RuleObject {
  readonly from?: string | readonly string[];
  readonly text?: string;
  readonly join?: readonly Rule[];
  readonly hash?: readonly Rule[];
  readonly detect?: Rule;
  readonly value?: Scalar;

  /** What stands between joined values; a space by default. */
  readonly with?: string;
  readonly trim?: boolean;
  readonly strip?: 'html';
  readonly match?: string;
  readonly replace?: Replacements | readonly Replacements[];
  readonly case?: 'lower' | 'upper';
  readonly split?: string;
  readonly values?: Readonly<Record<string, Scalar>>;
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
  /** Number of characters as a reader counts them. */
  readonly truncate?: number;
  /** A text that begins with the value makes it nothing, as it would be said twice. */
  readonly unlessStartOf?: Rule;
  readonly else?: Rule;
  /** `else` answers for what can't be read, too. */
  readonly onError?: 'else';
}

/** A BCP 47 tag, or several: dates are read in the first that fits, letters change case by the first. */
export type Locales = string | readonly string[];

/** Regular expression to replacement text, applied in order. */
export type Replacements = Readonly<Record<string, string>>;

/** What separates a number's decimals. */
export type DecimalMark = '.' | ',';

/** One range mapped linearly onto another; both bounds belong to it. */
export interface Scale {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** The document's fields that hold one text each. */
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

/** See {@link TEXT_FIELDS}. */
type TextField = (typeof TEXT_FIELDS)[number];

/** A rule for each of the document's fields that the export can fill. */
export interface DocumentRules extends Readonly<Partial<Record<TextField, Rule>>> {
  /** A rule for each level, or rules that give `<level>: <name>`. */
  readonly detectedLocations?: LocationRules | readonly Rule[];
  readonly metrics?: Readonly<Record<string, Rule>>;
  readonly tags?: readonly Rule[];
  readonly author?: AuthorRules;
}

/** A rule for each level of where the review is from. */
export type LocationRules = {
  readonly country?: Rule;
  readonly 'region of the country'?: Rule;
  readonly state?: Rule;
  readonly city?: Rule;
};

/** A rule for each of the author's fields. */
export interface AuthorRules {
  readonly source?: Rule;
  readonly sourceId?: Rule;
  readonly username?: Rule;
  readonly annotations?: Readonly<Record<string, Rule>>;
}

/** A record is skipped when this holds: `from`, and exactly one of the questions. */
export interface SkipCondition {
  readonly from: string | readonly string[];
  readonly in?: readonly Scalar[];
  readonly blank?: boolean;
  readonly matches?: string;
  readonly below?: number;
  readonly above?: number;
  /** Decimal mark of the number that `below` and `above` look at; a point by default. */
  readonly number?: DecimalMark;
}

/** A record and what has to become of it: exactly one of `document`, `skipped`, `invalid`. */
export interface MappingTest {
  readonly name?: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** The part of the document that matters. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly skipped?: true;
  /** The fields whose values can't be read. */
  readonly invalid?: readonly string[];
  readonly asOf?: string;
}
