/**
 * A span of publication times in milliseconds since 1970, whole minutes, since filters know no
 * seconds. What was published in the minute `to` may or may not belong to it: the reference leaves
 * open whether an end at 10:30 takes in 10:30:59.
 */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const MINUTE_MS = 60_000;

/** More than the widest difference between zones, since that of filters and answers is not known. */
const PADDING_MS = 24 * 60 * MINUTE_MS;

/** All times that can be written as `yyyy-MM-dd HH:mm`. */
export const EVERYTHING: Window = {
  from: Date.parse('0001-01-01T00:00:00Z'),
  to: Date.parse('9999-12-31T23:59:00Z'),
};

/**
 * The window that shows documents published between these moments, a day wider on both sides.
 * Everything, if they are not known or can't be read.
 */
export function windowAround(
  published: { readonly from: string; readonly to: string } | null,
): Window {
  if (published === null) return EVERYTHING;
  const first = Date.parse(published.from);
  const last = Date.parse(published.to);
  if (!(first <= last)) return EVERYTHING;
  const from = Math.floor((first - PADDING_MS) / MINUTE_MS) * MINUTE_MS;
  const to = Math.ceil((last + PADDING_MS) / MINUTE_MS) * MINUTE_MS;
  if (to <= EVERYTHING.from || from >= EVERYTHING.to) return EVERYTHING;
  return { from: Math.max(from, EVERYTHING.from), to: Math.min(to, EVERYTHING.to) };
}

/** Whether all of a window lies within one of these. */
export function covered(window: Window, by: readonly Window[]): boolean {
  return by.some(({ from, to }) => from <= window.from && window.to <= to);
}

/**
 * The fewest windows that cover these. Only those that overlap become one: that saves reading
 * what they share, while reading a gap between two costs more than the one request it saves.
 */
export function mergeWindows(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || window.from > last.to) merged.push(window);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, window.to) };
  }
  return merged;
}

/**
 * Two windows that cover this one; they share a minute, so that nothing falls between them.
 * `undefined` for a single minute: a filter whose start isn't before its end matches nothing.
 */
export function halves({ from, to }: Window): readonly [Window, Window] | undefined {
  const minutes = (to - from) / MINUTE_MS;
  if (minutes < 2) return undefined;
  const middle = from + Math.floor(minutes / 2) * MINUTE_MS;
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** The minute in which a document was published, in milliseconds since 1970, if that can be read. */
export function minuteOf(published: string | null): number | undefined {
  const ms = published === null ? Number.NaN : Date.parse(published);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** The part of a window up to a minute; `undefined`: there is none. */
export function upTo({ from }: Window, to: number): Window | undefined {
  return from < to ? { from, to } : undefined;
}

/** The minute before a minute. */
export function minuteBefore(minute: number): number {
  return minute - MINUTE_MS;
}

/** A window as messages name it. */
export function showWindow({ from, to }: Window): string {
  return `${showMinute(from)} to ${showMinute(to)}`;
}

function showMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' ');
}
