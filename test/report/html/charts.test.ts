import { describe, expect, it } from 'vitest';
import { type NumberFigures, NumberSpread } from '../../../src/coverage/number-spread.js';
import { barChart, histogram } from '../../../src/report/html/charts.js';

function spreadOf(numbers: readonly number[]): NumberFigures {
  const spread = new NumberSpread();
  for (const number of numbers) spread.add(number);
  return spread.figures() as NumberFigures;
}

describe('a chart', () => {
  it('has a bar for each number of a short scale, also for one that never occurs', () => {
    const svg = String(histogram(spreadOf([1, 5, 5, 4]), [1, 5]));
    expect(titlesOf(svg)).toEqual(['1: 1', '2: 0', '3: 0', '4: 1', '5: 2']);
    expect(heightsOf(svg)).toEqual([70, 0, 0, 70, 140]);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['25%', '0%', '50%']));
    expect(middlesOf(svg).map((x, index, all) => Math.round(x - (all[index - 1] ?? x)))).toEqual([
      0, 63, 63, 63, 63,
    ]);
  });

  it('has a bin for each of many, however far the outermost ones reach', () => {
    const figures = spreadOf([...Array.from({ length: 500 }, (_, index) => index), 1_000_000]);
    const svg = String(histogram(figures, [0, 0]));
    expect(titlesOf(svg)).toHaveLength(figures.bins?.length ?? 0);
    expect(titlesOf(svg).at(-1)).toMatch(/to 1,000,000: 1$/);
    const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => +width!);
    expect(Math.max(...widths)).toBeLessThan(60);
  });

  it('counts from zero, in round steps', () => {
    const bar = { from: 0, to: 1, count: 87, title: '' };
    const svg = String(barChart([bar], { from: 0, to: 1, ticks: [] }));
    expect(textsOf(svg)).toEqual(['0', '50', '100']);
    expect(heightsOf(svg)).toEqual([121.8]);
  });
});

function heightsOf(svg: string): readonly number[] {
  return [...svg.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, height]) => +height!);
}

function middlesOf(svg: string): readonly number[] {
  return [...svg.matchAll(/<rect [^>]*x="([\d.]+)"[^>]*width="([\d.]+)"/g)].map(
    ([, x, width]) => +x! + +width! / 2,
  );
}

function titlesOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<title>([^<]*)</g)].map(([, title = '']) => title);
}

function textsOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
}
