// @ts-check
/** Medians, ratios, and how they are printed: as Markdown, so that they can go into a page. */

/** @typedef {import('./rounds.js').Result} Result */
/** @typedef {keyof import('./measure.js').Sample} Figure */

/**
 * What a ratio is held against.
 * @typedef {{ atLeast?: number, atMost?: number, aim?: number }} Bar
 */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** The figure of each round. @param {Result} result @param {Figure} figure */
export function each(result, figure) {
  return result.samples.map((sample) => sample[figure]);
}

/** Prints a table with a row for each contestant. @param {readonly Result[]} results */
export function printTable(results) {
  console.log('| | wall time (min–max) | processor time | peak memory | records a second |');
  console.log('|---|---:|---:|---:|---:|');
  for (const result of results) console.log(`| ${row(result).join(' | ')} |`);
  console.log();
}

/** @param {Result} result */
function row(result) {
  const wall = each(result, 'wallMs');
  const wallMs = median(wall);
  const range = `${seconds(Math.min(...wall))}–${seconds(Math.max(...wall))}`;
  const peak = median(each(result, 'peakMiB'));
  return [
    result.name,
    `${seconds(wallMs)} s (${range})`,
    `${seconds(median(each(result, 'cpuMs')))} s`,
    Number.isNaN(peak) ? '–' : `${peak.toFixed(0)} MiB`,
    result.records === 0 ? '–' : grouped((result.records / wallMs) * 1000),
  ];
}

/**
 * How many times as long one takes as another: the ratio of medians, that of each round's pair
 * and that of processor times, beside the bar.
 * @param {Result} longer
 * @param {Result} shorter
 * @param {Bar} bar
 */
export function compare(longer, shorter, bar) {
  const shorterWall = each(shorter, 'wallMs');
  const pairs = each(longer, 'wallMs').map((wall, round) => wall / (shorterWall[round] ?? 0));
  const ratio = median(each(longer, 'wallMs')) / median(shorterWall);
  const cpu = median(each(longer, 'cpuMs')) / median(each(shorter, 'cpuMs'));
  const range = `${Math.min(...pairs).toFixed(2)}–${Math.max(...pairs).toFixed(2)}`;
  const details = `pair by pair ${range}; processor time ${cpu.toFixed(2)}×`;
  const sentence = `${longer.name} takes ${ratio.toFixed(2)}× the time of ${shorter.name} (${details})`;
  return judge(sentence, ratio, bar, '×');
}

/**
 * A sentence with the verdict behind it.
 * @param {string} sentence
 * @param {number} value
 * @param {Bar} bar
 * @param {string} unit
 */
export function judge(sentence, value, { atLeast, atMost, aim }, unit) {
  const met = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
  const wanted = atLeast === undefined ? `at most ${atMost}${unit}` : `at least ${atLeast}${unit}`;
  const beyond = aim === undefined ? '' : `, aim ${aim}${unit}`;
  return `${sentence}. Wanted: ${wanted}${beyond}. ${met ? 'Met.' : 'MISSED.'}`;
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(milliseconds < 1000 ? 3 : 2);
}

/** @param {number} number */
export function grouped(number) {
  return Math.round(number).toLocaleString('en');
}
