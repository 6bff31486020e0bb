/** Step `date`: converts a value to an ISO 8601 timestamp in UTC. */
import type { RecordValue } from '../../model/record.js';
import type { Locales, Scalar } from '../mapping.js';
import { Failure, failure, type Step, type Subject } from '../steps/value.js';
import { formatTokens, parseFormat, type ReadDate } from './parse-format.js';
import { countBack, parseTimeSpan } from './relative.js';
import {
  cached,
  localTimeConverter,
  luxon,
  offsetMillis,
  parseWithLuxon,
  SkippedTime,
} from './zones.js';

/** Moment that relative dates count back from, in milliseconds; may differ per record. */
export type AsOf = (record: RecordValue) => number | Failure;

export interface DateSettings {
  readonly zone: string;
  readonly locale: Locales;
  /** Needed only by the format `relative`. */
  readonly asOf?: AsOf | undefined;
  readonly subject: Subject;
}

/** Values of `date` that aren't luxon formats, with their descriptions for messages. */
const NAMED_FORMS: Readonly<Record<string, string>> = {
  iso: 'an ISO 8601 date',
  'epoch-seconds': 'seconds since 1970',
  'epoch-millis': 'milliseconds since 1970 (for seconds write epoch-seconds)',
  'excel-serial': 'days since 1900 as workbooks count them, for example 45438.5',
  relative: 'a relative date like "2 weeks ago"',
};

export const NAMED_FORM_NAMES: readonly string[] = Object.keys(NAMED_FORMS);

export function isNamedForm(form: string): boolean {
  return Object.hasOwn(NAMED_FORMS, form);
}

/** Compiles the step; the first form that fits a value wins. */
export function compileDate(forms: readonly string[], settings: DateSettings): Step {
  const readers = forms.flatMap((form) => formReaders(form, settings));
  const expected = forms.map((form) => NAMED_FORMS[form] ?? `a valid date like ${form}`);
  const readAny = (value: Scalar, record: RecordValue): string | Failure | undefined => {
    for (let at = 0; at < readers.length; at += 1) {
      const { read, end } = readers[at] as FormReader;
      const millis = read(value, record);
      if (millis instanceof Failure) return millis;
      if (millis instanceof SkippedTime) return skipped(value, millis, settings);
      if (millis !== undefined && millis >= YEAR_1 && millis < end) return timestamp(millis);
    }
    return undefined;
  };
  return (value, record) => {
    const known = readAny(value, record);
    if (known !== undefined) return known;
    const plain = plainDate(value);
    const found = plain === value ? undefined : readAny(plain, record);
    const isOdd = typeof found === 'string' && isOfOtherCalendar(value, found);
    if (found !== undefined && !isOdd) return found;
    const late = readers.map(({ read }) => read(plain, record)).find(isTooLate);
    const wanted = late === undefined ? expected : [earlierYear(late, settings)];
    return failure(
      'unreadable-date',
      settings.subject,
      value,
      ...(isOdd ? [otherCalendar(found)] : wanted),
    );
  };
}

/** Arabic, Persian, Devanagari, Bengali and Thai digits. */
const OTHER_DIGITS = /[٠-٩۰-۹०-९০-৯๐-๙]/gu;
const ZEROS = ['٠', '۰', '०', '০', '๐'].map((zero) => zero.charCodeAt(0));
/** The Thai name of the Buddhist era, before a whole year, which shows by its size. */
const BUDDHIST_ERA = /พ\.?\s?ศ\.?\s*(?=\d{4}(?!\d))/u;

/** Writes a date that no form fits with ASCII digits and single blanks, and without its era. */
function plainDate(value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  return value
    .replace(OTHER_DIGITS, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
    })
    .replace(BUDDHIST_ERA, '')
    .replace(/\s+/gu, ' ');
}

const FIRST_YEAR = 1990;

/**
 * Returns whether a date written in other digits has a year without reviews: where those are used,
 * so are other calendars (1403 in Iran, 2081 in Nepal).
 */
function isOfOtherCalendar(value: Scalar, found: string): boolean {
  return (
    String(value).search(OTHER_DIGITS) >= 0 &&
    (writtenYear(found) < FIRST_YEAR || writtenYear(found) > nextYear())
  );
}

function otherCalendar(found: string): string {
  return `a date from ${FIRST_YEAR} to ${nextYear()}; if the year ${writtenYear(found)} is in another calendar, convert the dates before the import`;
}

function writtenYear(found: string): number {
  return Number(found.slice(0, 4));
}

function nextYear(): number {
  return new Date().getUTCFullYear() + 1;
}

function isTooLate(millis: ReturnType<FormReader['read']>): millis is number {
  return typeof millis === 'number' && millis >= YEAR_2201 && millis < YEAR_10000;
}

function earlierYear(late: number, { locale }: DateSettings): string {
  const { baseName } = new Intl.Locale([locale].flat()[0] ?? 'en');
  const year = new Date(late).getUTCFullYear();
  return `a year up to 2200; if ${year} is in the Buddhist calendar, 543 years ahead, set locale: ${baseName}-u-ca-buddhist and a format like dd/MM/yyyy`;
}

function skipped(
  value: Scalar,
  { zone, from, to }: SkippedTime,
  { subject }: DateSettings,
): Failure {
  const [last, next] = [from, to].map((wall) => timestamp(wall).slice(0, 16).replace('T', ' '));
  return failure(
    'skipped-time',
    subject,
    value,
    `a time that exists in ${zone}, where clocks went from ${last} to ${next}; set the zone of the export's times (for example zone: UTC), or a fallback (onError: else)`,
  );
}

interface FormReader {
  readonly read: (value: Scalar, record: RecordValue) => number | Failure | SkippedTime | undefined;
  /** Dates from this instant on are rejected. */
  readonly end: number;
}

function formReaders(form: string, settings: DateSettings): readonly FormReader[] {
  if (form === 'relative') return [{ read: relativeReader(settings), end: YEAR_10000 }];
  const locales = [settings.locale].flat();
  const end = form === 'iso' || !isNamedForm(form) ? YEAR_2201 : YEAR_10000;
  return (hasWords(form) ? locales : locales.slice(0, 1)).map((locale) => {
    const read = textReader(form, settings.zone, locale);
    return { read: (value) => read(typeof value === 'string' ? value : String(value)), end };
  });
}

function hasWords(form: string): boolean {
  if (isNamedForm(form)) return false;
  return formatTokens(form).some(
    ({ literal, text }) => !literal && /^(?:[MLEc]{3,}|a|G.*|[DfF]+)$/u.test(text),
  );
}

function textReader(form: string, zone: string, locale: string): ReadDate {
  if (form === 'iso') return parseIso(zone);
  if (form === 'epoch-seconds') return parseEpochSeconds;
  if (form === 'epoch-millis') return parseEpochMillis;
  if (form === 'excel-serial') return parseSerial(zone);
  return parseFormat(form, zone, locale);
}

function relativeReader({ asOf, zone }: DateSettings): FormReader['read'] {
  return (value, record) => {
    const span = parseTimeSpan(String(value));
    if (span === undefined || asOf === undefined) return undefined;
    const start = asOf(record);
    return start instanceof Failure ? start : countBack(start, span, zone);
  };
}

const DAY = 86_400_000;
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
/** Written years from here on are taken for another calendar's. */
const YEAR_2201 = Date.UTC(2201, 0);
const YEAR_10000 = Date.UTC(10_000, 0);

const COMMON_ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?)?$/iu;

/**
 * Compiles a parser for ISO 8601; a space may replace the T. The zone applies to dates without an
 * offset. The common form is parsed here; week and ordinal dates by luxon.
 */
export function parseIso(zone: string): ReadDate {
  const toInstant = localTimeConverter(zone);
  return (text) => {
    const found = COMMON_ISO.exec(text);
    if (found === null) {
      // Reject a time without a date: luxon would assume the current day.
      if (!/^[+-]?\d{4}/u.test(text)) return undefined;
      return parseWithLuxon((each) => luxon().DateTime.fromISO(text, { zone: each }), toInstant);
    }
    const [, year, month, day, hour = '00', minute = '00', second = '00', decimals, offset] = found;
    const millis = `${decimals ?? ''}000`.slice(0, 3);
    const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`);
    // Date.parse turns 31 April into 1 May.
    const midnight = hour === '24' ? wall - 86_400_000 : wall;
    if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
    return offset === undefined ? toInstant(wall) : wall - offsetMillis(offset);
  };
}

const parseEpochSeconds: ReadDate = (text) => {
  const seconds = parseCount(text);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};

/** Smallest accepted count of milliseconds (March 1973); smaller numbers are probably seconds. */
const MIN_MILLIS = 100_000_000_000;

const parseEpochMillis: ReadDate = (text) => {
  const millis = parseCount(text);
  return millis === undefined || Math.abs(millis) < MIN_MILLIS ? undefined : Math.trunc(millis);
};

function parseCount(text: string): number | undefined {
  return /^[+-]?\d{1,17}(?:\.\d+)?$/u.test(text) ? Number(text) : undefined;
}

/** Serial number of 1970-01-01, if 1900-01-01 is 1. */
const EPOCH_SERIAL = 25_569;
/** 1900-03-01: for earlier dates, spreadsheet programs differ by a day. */
const FIRST_SERIAL = 61;
/** The day after 9999-12-31. */
const END_SERIAL = 2_958_466;

/** Workbooks have no zone: their times are read in the mapping's. */
function parseSerial(zone: string): ReadDate {
  const toInstant = localTimeConverter(zone);
  return (text) => {
    const serial = /^\d{2,7}(?:\.\d+)?$/u.test(text) ? Number(text) : Number.NaN;
    if (!(serial >= FIRST_SERIAL && serial < END_SERIAL)) return undefined;
    return toInstant(Math.round((serial - EPOCH_SERIAL) * DAY));
  };
}

/** Size of the cache of formatted days: 140 years. */
const MAX_DAYS = 50_000;
const dateOf = cached(MAX_DAYS, (day: number) => new Date(day * DAY).toISOString().slice(0, 11));
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Formats an instant like `Date.toISOString` (years of four digits only), in a third of its time,
 * because days are cached.
 */
export function timestamp(millis: number): string {
  const day = Math.floor(millis / DAY);
  const seconds = Math.floor((millis - day * DAY) / 1000);
  const rest = millis - day * DAY - seconds * 1000;
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  lastTimestamp = `${dateOf(day)}${clock}.${rest === 0 ? '000' : String(rest).padStart(3, '0')}Z`;
  lastInstant = millis;
  return lastTimestamp;
}

let lastTimestamp = '';
let lastInstant = Number.NaN;

/**
 * Instant (in milliseconds) of the timestamp that {@link timestamp} formatted last; NaN for any
 * other text. Saves parsing the date of a document just built.
 */
export function instantOfLastTimestamp(text: string): number {
  return text === lastTimestamp ? lastInstant : Number.NaN;
}
