import type { PublishedWindow } from '../../model/documents.js';

/**
 * Span of publication times, in milliseconds since 1970. Whole minutes, since filters have no
 * seconds. Documents published in the minute `to` may or may not match: the reference leaves open
 * whether an end at 10:30 includes 10:30:59.
 */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export const MINUTE_MS = 60_000;

/** Margin of a window before and after the documents' times of publication. */
const PADDING_MS = {
  /** Enough if filters are in UTC: covers seconds that are cut off. */
  near: 2 * MINUTE_MS,
  /** Enough for any time zone: more than the largest difference between two zones. */
  wide: 24 * 60 * MINUTE_MS,
} as const;

export type Width = keyof typeof PADDING_MS;

/** Range of times that can be written as `yyyy-MM-dd HH:mm`. */
const ALL_TIMES: Window = {
  from: Date.parse('0001-01-01T00:00:00Z'),
  to: Date.parse('9999-12-31T23:59:00Z'),
};

/** Window around times of publication; all times if they are unknown or unreadable. */
export function windowAround(published: PublishedWindow | null, width: Width): Window {
  const span = spanOf(published);
  const from = Math.floor((span.from - PADDING_MS[width]) / MINUTE_MS) * MINUTE_MS;
  const to = Math.ceil((span.to + PADDING_MS[width]) / MINUTE_MS) * MINUTE_MS;
  if (to <= ALL_TIMES.from || from >= ALL_TIMES.to) return ALL_TIMES;
  return { from: Math.max(from, ALL_TIMES.from), to: Math.min(to, ALL_TIMES.to) };
}

/** Longest span for which the near window is much smaller than the wide one. */
const MAX_NEAR_SPAN_MS = 6 * 60 * MINUTE_MS;

export function isShort(published: PublishedWindow | null): boolean {
  const { from, to } = spanOf(published);
  return to - from <= MAX_NEAR_SPAN_MS;
}

function spanOf(published: PublishedWindow | null): Window {
  const from = Date.parse(published?.from ?? '');
  const to = Date.parse(published?.to ?? '');
  return from <= to ? { from, to } : ALL_TIMES;
}

export function covered(window: Window, by: readonly Window[]): boolean {
  return by.some(({ from, to }) => from <= window.from && window.to <= to);
}

/** Returns whether documents published in a span may lie within one of the windows. */
export function touches(published: PublishedWindow | null, windows: readonly Window[]): boolean {
  const { from, to } = spanOf(published);
  return windows.some((window) => from <= window.to && window.from <= to);
}

/**
 * Merges overlapping windows, which saves reading the overlap twice. Doesn't close gaps: reading a
 * gap costs more than the request that it saves.
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
 * Splits a window into two that share a minute, so that no document falls between them. `undefined`
 * for a single minute: a filter whose start isn't before its end matches nothing.
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
