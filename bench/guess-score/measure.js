// @ts-check
/** Lets docferry guess every export of a folder, and scores what comes of it. */
import { scoreFailure, scoreGuess } from './score.js';
import { exportsIn } from './truth.js';

/** @typedef {import('./score.js').Scored} Scored */
/** @typedef {import('./score.js').Verdict} Verdict */
/** @typedef {{ name: string, fields: Scored[], failure?: string }} Measured `failure`: what guess ended with */

/**
 * Given by the caller, as the bench measures what was built and the tests what stands in src/.
 * @typedef {object} Docferry
 * @property {(options: { input: string, ready: boolean }) => Promise<import('../../dist/index.js').Guess>} guessMapping
 * @property {(options: { input: string, mapping: import('../../dist/index.js').Mapping, asOf?: string }) => AsyncIterable<import('../../dist/index.js').PreviewedRecord>} previewDocuments
 * @property {(text: string, name: string) => object} parseMapping
 */

/**
 * @param {string} folder
 * @param {Docferry} docferry
 * @returns {AsyncGenerator<Measured, void, undefined>} in order of name
 */
export async function* measureFolder(folder, docferry) {
  for (const { name, input, truth } of exportsIn(folder)) {
    yield { name, ...(await measureExport(input, truth, docferry)) };
  }
}

/**
 * @param {string} input
 * @param {import('./truth.js').Truth} truth
 * @param {Docferry} docferry
 */
async function measureExport(input, truth, { guessMapping, previewDocuments, parseMapping }) {
  try {
    const guess = await guessMapping({ input, ready: false });
    const mapping = /** @type {import('../../dist/index.js').Mapping} */ (
      parseMapping(guess.mapping, 'guess')
    );
    const stated = truth.asOf === undefined ? {} : { asOf: truth.asOf };
    const previewed = [];
    for await (const one of previewDocuments({ input, mapping, ...stated })) previewed.push(one);
    return { fields: scoreGuess(truth, guess, previewed) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { fields: scoreFailure(truth), failure };
  }
}

/**
 * @param {readonly Measured[]} measured
 * @param {Verdict} verdict
 */
export function countOf(measured, verdict) {
  return measured.flatMap(({ fields }) => fields).filter((one) => one.verdict === verdict).length;
}
