/** The step `date`: from what a column holds to an ISO 8601 timestamp in UTC. */
import type { RecordValue } from '../../model/record.js';
import type { Locales, Scalar } from '../mapping.js';
import { Failure, failure, type Step } from '../steps/value.js';
import { formatTokens, parseFormat, type ReadDate } from './parse-format.js';
import { countBack, parseTimeSpan } from './relative.js';
import { localTime, luxon, SkippedTime, throughLuxon } from './zones.js';

/** What relative dates count back from, in milliseconds; per record if a column says so. */
export type AsOf = (record: RecordValue) => number | Failure;

/** What reading a date depends on beside its text. */
export interface DateSettings {
  readonly zone: string;
  readonly locale: Locales;
  /** Absent where no format is `relative`. */
  readonly asOf?: AsOf | undefined;
  /** How messages name what is read. */
  readonly subject: string;
}

/** The forms of `date` that are no luxon formats, and how messages put them. */
const NAMED_FORMS: Readonly<Record<string, string>> = {
  iso: 'an ISO 8601 date',
  'epoch-seconds': 'seconds since 1970',
  'epoch-millis': 'milliseconds since 1970 (for seconds write epoch-seconds)',
  'excel-serial': 'days since 1900 as workbooks count them, such as 45438.5',
  relative: 'a relative date such as "2 weeks ago"',
};

/** Their names. */
export const NAMED_FORM_NAMES: readonly string[] = Object.keys(NAMED_FORMS);

/** Whether a form of `date` is one of the named ones, and not a luxon format. */
export function isNamedForm(form: string): boolean {
  return Object.hasOwn(NAMED_FORMS, form);
}

/** Reads a value by the first form that fits it. */
export function compileDate(forms: readonly string[], settings: DateSettings): Step {
  const readers = forms.flatMap((form) => formReaders(form, settings));
  const expected = forms.map((form) => NAMED_FORMS[form] ?? `a date like ${form}`).join(', or ');
  return (value, record) => {
    for (let at = 0; at < readers.length; at += 1) {
      const { read, end } = readers[at] as FormReader;
      const millis = read(value, record);
      if (millis instanceof Failure) return millis;
      if (millis instanceof SkippedTime) return skipped(value, millis, settings);
      if (millis !== undefined && millis >= YEAR_1 && millis < end) return timestamp(millis);
    }
    const late = readers.map(({ read }) => read(value, record)).find(isLate);
    const wanted = late === undefined ? expected : earlierYear(late, settings);
    return failure('unreadable-date', settings.subject, value, wanted);
  };
}

/** Whether a date can be read, but was refused for its year. */
function isLate(millis: ReturnType<FormReader['read']>): millis is number {
  return typeof millis === 'number' && millis >= YEAR_2201 && millis < YEAR_10000;
}

function earlierYear(late: number, { locale }: DateSettings): string {
  const { baseName } = new Intl.Locale([locale].flat()[0] ?? 'en');
  const year = new Date(late).getUTCFullYear();
  return `a year up to 2200; if ${year} is of the Buddhist calendar, which is 543 years ahead, set locale: ${baseName}-u-ca-buddhist and a format such as dd/MM/yyyy`;
}

function skipped(
  value: Scalar,
  { zone, from, to }: SkippedTime,
  { subject }: DateSettings,
): Failure {
  const day = timestamp(from).slice(0, 10);
  // A whole day may be missing: then the clock's times alone don't tell.
  const shown = (wall: number): string => timestamp(wall).slice(to - from < DAY ? 11 : 0, 16);
  const change = `on ${day} they go from ${shown(from)} to ${shown(to)}`.replaceAll('T', ' ');
  return failure(
    'skipped-time',
    subject,
    value,
    `a time that clocks in ${zone} show: ${change}; state the zone of the clock that was meant (zone: UTC, say), or what to take instead (onError: else)`,
  );
}

/** Reads a value in one form. */
interface FormReader {
  readonly read: (value: Scalar, record: RecordValue) => number | Failure | SkippedTime | undefined;
  /** The instant from which on a date can't be meant. */
  readonly end: number;
}

/** One reader, or one a language for a format with words. */
function formReaders(form: string, settings: DateSettings): readonly FormReader[] {
  if (form === 'relative') return [{ read: relativeReader(settings), end: YEAR_10000 }];
  const locales = [settings.locale].flat();
  const end = form === 'iso' || !isNamedForm(form) ? YEAR_2201 : YEAR_10000;
  return (hasWords(form) ? locales : locales.slice(0, 1)).map((locale) => {
    const read = textReader(form, settings.zone, locale);
    return { read: (value) => read(typeof value === 'string' ? value : String(value)), end };
  });
}

/** Whether a format has names of months or days, or what stands for AM and PM. */
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
/** A year that is written out and comes after 2200 is one of another calendar. */
const YEAR_2201 = Date.UTC(2201, 0);
const YEAR_10000 = Date.UTC(10_000, 0);

const COMMON =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?)?$/iu;

/**
 * Reads ISO 8601, with a space for the T if need be. An offset is honoured; the zone applies where
 * there is none. The common form is read here, weeks and ordinal days by luxon.
 */
export function parseIso(zone: string): ReadDate {
  const toInstant = localTime(zone);
  return (text) => {
    const found = COMMON.exec(text);
    if (found === null) {
      // A time alone is no date: luxon would take the current day.
      if (!/^[+-]?\d{4}/u.test(text)) return undefined;
      return throughLuxon((each) => luxon().DateTime.fromISO(text, { zone: each }), toInstant);
    }
    const [, year, month, day, hour = '00', minute = '00', second = '00', decimals, offset] = found;
    const millis = `${decimals ?? ''}000`.slice(0, 3);
    const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`);
    // Date.parse takes 31 April for 1 May.
    const midnight = hour === '24' ? wall - 86_400_000 : wall;
    if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
    return offset === undefined ? toInstant(wall) : wall - offsetMillis(offset);
  };
}

function offsetMillis(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', ''));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** Seconds, with decimals or without. */
const parseEpochSeconds: ReadDate = (text) => {
  const seconds = count(text);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};

/** Before March 1973 a count of milliseconds has 11 digits or less: those are seconds. */
const MIN_MILLIS = 100_000_000_000;

/** Milliseconds. A count so small that it must be of seconds is refused. */
const parseEpochMillis: ReadDate = (text) => {
  const millis = count(text);
  return millis === undefined || Math.abs(millis) < MIN_MILLIS ? undefined : Math.trunc(millis);
};

function count(text: string): number | undefined {
  return /^[+-]?\d{1,17}(?:\.\d+)?$/u.test(text) ? Number(text) : undefined;
}

/** The serial number of 1970-01-01, counted so that 1 January 1900 is 1. */
const EPOCH = 25_569;
/** 1 March 1900: before it, programs differ by a day. */
const FIRST = 61;
/** The day behind 9999-12-31. */
const END = 2_958_466;

/** A workbook has no zone: what its clock shows is in the mapping's. */
function parseSerial(zone: string): ReadDate {
  const toInstant = localTime(zone);
  return (text) => {
    const serial = /^\d{2,7}(?:\.\d+)?$/u.test(text) ? Number(text) : Number.NaN;
    if (!(serial >= FIRST && serial < END)) return undefined;
    return toInstant(Math.round((serial - EPOCH) * DAY));
  };
}

/** Days whose date is remembered; 140 years of them. */
const MAX_DAYS = 50_000;
const dates = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * The ISO 8601 timestamp of an instant, in UTC and with milliseconds: what `Date.toISOString` gives
 * for years of four digits, in a third of its time, since days repeat.
 */
export function timestamp(millis: number): string {
  const day = Math.floor(millis / DAY);
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size >= MAX_DAYS) dates.clear();
    date = new Date(millis).toISOString().slice(0, 11);
    dates.set(day, date);
  }
  const seconds = Math.floor((millis - day * DAY) / 1000);
  const rest = millis - day * DAY - seconds * 1000;
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  last = `${date}${clock}.${rest === 0 ? '000' : String(rest).padStart(3, '0')}Z`;
  lastInstant = millis;
  return last;
}

let last = '';
let lastInstant = Number.NaN;

/**
 * The instant of a timestamp, in milliseconds, if it is the last one that `timestamp` wrote: as a
 * rule that is what a document was made with just before. Otherwise NaN.
 */
export function instantOfLast(text: string): number {
  return text === last ? lastInstant : Number.NaN;
}
