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

export const MINUTE_MS = 60_000;

/** How much wider a window is than the times of publication that it is around, on both sides. */
const PADDING_MS = {
  /** Where documents show if filters take UTC; seconds are cut off. */
  near: 2 * MINUTE_MS,
  /** Where they show in any case: more than the widest difference between two time zones. */
  wide: 24 * 60 * MINUTE_MS,
} as const;

/** Which window is meant: that of the very minutes, or that of any time zone. */
export type Width = keyof typeof PADDING_MS;

/** All times that can be written as `yyyy-MM-dd HH:mm`. */
const EVERYTHING: Window = {
  from: Date.parse('0001-01-01T00:00:00Z'),
  to: Date.parse('9999-12-31T23:59:00Z'),
};

/**
 * The window around the moments between which documents were published. Everything, if they are not
 * known or can't be read.
 */
export function windowAround(published: PublishedWindow | null, width: Width): Window {
  const span = spanOf(published);
  const from = Math.floor((span.from - PADDING_MS[width]) / MINUTE_MS) * MINUTE_MS;
  const to = Math.ceil((span.to + PADDING_MS[width]) / MINUTE_MS) * MINUTE_MS;
  if (to <= EVERYTHING.from || from >= EVERYTHING.to) return EVERYTHING;
  return { from: Math.max(from, EVERYTHING.from), to: Math.min(to, EVERYTHING.to) };
}

/** Of a longer span, the wide window is hardly wider. */
const MAX_NEAR_SPAN_MS = 6 * 60 * MINUTE_MS;

/** Whether the near window is much smaller than the wide one. */
export function isShort(published: PublishedWindow | null): boolean {
  const { from, to } = spanOf(published);
  return to - from <= MAX_NEAR_SPAN_MS;
}

/** The same in milliseconds since 1970. */
function spanOf(published: PublishedWindow | null): Window {
  const from = Date.parse(published?.from ?? '');
  const to = Date.parse(published?.to ?? '');
  return from <= to ? { from, to } : EVERYTHING;
}

/** Whether all of a window lies within one of these. */
export function covered(window: Window, by: readonly Window[]): boolean {
  return by.some(({ from, to }) => from <= window.from && window.to <= to);
}

/** Whether some of what was published between these moments may lie within one of these windows. */
export function touches(published: PublishedWindow | null, windows: readonly Window[]): boolean {
  const { from, to } = spanOf(published);
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
