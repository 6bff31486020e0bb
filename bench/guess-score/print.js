// @ts-check
/** The score of a folder as tables. */
import { countOf } from './measure.js';
import { FIELDS } from './truth.js';

/** @typedef {import('./measure.js').Measured} Measured */
/** @typedef {import('./score.js').Verdict} Verdict */

/** @type {Record<Verdict, string>} */
const SIGNS = {
  right: 'right',
  absent: '·',
  'silently wrong': 'WRONG',
  flagged: 'flagged',
  unscored: '',
};
const NAMES = Object.keys(FIELDS);

/**
 * @param {string} folder
 * @param {readonly Measured[]} measured
 */
export function printScore(folder, measured) {
  console.log(`\n${folder}\n`);
  printTable(measured);
  printTotals(measured);
  printList('silently wrong', measured);
  printList('flagged', measured);
}

/** @param {readonly Measured[]} measured */
function printTable(measured) {
  console.log(`| export | ${NAMES.join(' | ')} |\n|---|${NAMES.map(() => '---|').join('')}`);
  for (const { name, fields } of measured) {
    console.log(`| ${name} | ${fields.map(({ verdict }) => SIGNS[verdict]).join(' | ')} |`);
  }
  console.log('\n· neither the export nor the guess has it; an empty cell is not scored');
}

/** @param {readonly Measured[]} measured */
function printTotals(measured) {
  const [right, absent, wrong, flagged] = [
    countOf(measured, 'right'),
    countOf(measured, 'absent'),
    countOf(measured, 'silently wrong'),
    countOf(measured, 'flagged'),
  ];
  const needless = measured.flatMap(({ fields }) => fields).filter((one) => one.needless).length;
  const all = right + absent + wrong + flagged;
  console.log(`\n${measured.length} exports, ${all} fields:`);
  const marked = `${absent} are in neither, ${needless} marked needlessly`;
  console.log(`  right           ${share(right + absent, all)}: ${marked}`);
  console.log(
    `  silently wrong  ${share(wrong, all)}; of those not absent, ${share(wrong, all - absent)}`,
  );
  console.log(`  flagged         ${share(flagged, all)}`);
}

/**
 * @param {number} count
 * @param {number} all
 */
function share(count, all) {
  return `${count} of ${all} (${((100 * count) / Math.max(1, all)).toFixed(1)}%)`;
}

/**
 * One line for a guess that failed, as that flags all of its fields.
 * @param {Verdict} verdict
 * @param {readonly Measured[]} measured
 */
function printList(verdict, measured) {
  console.log(`\n${verdict}:`);
  for (const { name, fields, failure } of measured) {
    const listed = fields.filter((one) => one.verdict === verdict);
    if (failure === undefined) {
      for (const { field, detail } of listed) printLine(`${name}: ${field}: ${detail}`);
    } else if (listed.length > 0) {
      printLine(`${name}: all ${listed.length} fields: ${failure}`);
    }
  }
}

/** @param {string} text */
function printLine(text) {
  console.log(`  ${text.replace(/\s+/gu, ' ').slice(0, 200)}`);
}
