import type { PublishedWindow } from '../../model/documents.js';

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

/** How much wider a window is than the times of publication that it is around, on both sides. */
export const PADDING_MS: Readonly<Record<'sameMinute' | 'nearUtc' | 'anyZone', number>> = {
  /** For what shows as it was sent: seconds are cut off. */
  sameMinute: 2 * MINUTE_MS,
  /**
   * Where the filters' zone was seen to be near UTC once: since 2000, no such zone was more than
   * two hours from it. One more for times that a clock shows twice or never.
   */
  nearUtc: 3 * 60 * MINUTE_MS,
  /** More than the widest difference between zones, where that of the filters is not known. */
  anyZone: 24 * 60 * MINUTE_MS,
};

/** All times that can be written as `yyyy-MM-dd HH:mm`. */
export const EVERYTHING: Window = {
  from: Date.parse('0001-01-01T00:00:00Z'),
  to: Date.parse('9999-12-31T23:59:00Z'),
};

/**
 * The window around the moments between which documents were published. Everything, if they are not
 * known or can't be read.
 */
export function windowAround(
  published: PublishedWindow | null,
  paddingMs: number = PADDING_MS.anyZone,
): Window {
  const span = spanOf(published);
  if (span === undefined) return EVERYTHING;
  const from = Math.floor((span.from - paddingMs) / MINUTE_MS) * MINUTE_MS;
  const to = Math.ceil((span.to + paddingMs) / MINUTE_MS) * MINUTE_MS;
  if (to <= EVERYTHING.from || from >= EVERYTHING.to) return EVERYTHING;
  return { from: Math.max(from, EVERYTHING.from), to: Math.min(to, EVERYTHING.to) };
}

/** The same in milliseconds since 1970; `undefined` if they are not known or can't be read. */
export function spanOf(published: PublishedWindow | null): Window | undefined {
  if (published === null) return undefined;
  const from = Date.parse(published.from);
  const to = Date.parse(published.to);
  return from <= to ? { from, to } : undefined;
}

/** Whether all of a window lies within one of these. */
export function covered(window: Window, by: readonly Window[]): boolean {
  return by.some(({ from, to }) => from <= window.from && window.to <= to);
}

/** Whether some of what was published between these moments may lie within one of these windows. */
export function touches(published: PublishedWindow | null, windows: readonly Window[]): boolean {
  const { from, to } = spanOf(published) ?? EVERYTHING;
  return windows.some((window) => from <= window.to && window.from <= to);
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
