import { describe, expect, it } from 'vitest';
import { type NumberFigures, NumberSpread } from '../../../src/coverage/number-spread.js';
import { histogram, monthBars, speedChart } from '../../../src/report/html/charts.js';

function spreadOf(numbers: readonly number[]): NumberFigures {
  const spread = new NumberSpread();
  for (const number of numbers) spread.add(number);
  return spread.figures() as NumberFigures;
}

describe('a chart', () => {
  it('has a bar for each of a few numbers, with its figure', () => {
    const svg = histogram(spreadOf([1, 5, 5, 4]), 'stars');
    expect(titlesOf(svg)).toEqual(['1: 1', '4: 1', '5: 2']);
    expect(svg).toContain('stars');
  });

  it('has a bin for each of many, however far the outermost ones reach', () => {
    const figures = spreadOf([...Array.from({ length: 500 }, (_, index) => index), 1_000_000]);
    const svg = histogram(figures, null);
    expect(titlesOf(svg)).toHaveLength(figures.bins?.length ?? 0);
    expect(titlesOf(svg).at(-1)).toMatch(/to 1,000,000: 1$/);
    const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => +width!);
    expect(Math.max(...widths)).toBeLessThan(60);
  });

  it('has a bar for each month', () => {
    const months = [
      { value: '2024-02', count: 3 },
      { value: '2024-03', count: 1200 },
    ];
    expect(titlesOf(monthBars(months))).toEqual(['2024-02: 3', '2024-03: 1,200']);
  });

  it('draws a run by its spans of time, with marks at round times', () => {
    const point = { spanMs: 30_000, read: 3000, accepted: 1500, requests: 3, inFlight: 2 };
    const timeline = [0, 30_000, 60_000, 90_000].map((atMs) => ({ ...point, atMs }));
    const svg = speedChart(timeline);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['0', '30 s', '1:00', '1:30', '2:00']));
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['100']));
    const gap = speedChart(timeline.filter(({ atMs }) => atMs !== 30_000));
    expect(gap).not.toBe(svg);
  });

  it('has no style of its own, no long numbers, and colours of the page', () => {
    const svg = histogram(spreadOf([1, 2, 2, 7, 7, 7, 9]), null);
    expect(svg).toMatch(/^<svg .*<\/svg>$/s);
    expect(svg).not.toMatch(/<style|style=|\d\.\d{3}/);
    expect(svg).toContain('fill="var(--bar)"');
  });

  it('escapes what it is labelled with', () => {
    expect(histogram(spreadOf([1, 2]), '<b>"&')).toContain('&#60;b&#62;&#34;&#38;');
  });
});

function titlesOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<title>([^<]*)</g)].map(([, title = '']) => title);
}

function textsOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
}
