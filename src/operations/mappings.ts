import { readFile } from 'node:fs/promises';
import { profileOf } from '../coverage/profile.js';
import { writeExpectations } from '../mapping/load/edit-mapping.js';
import { checkMapping, loadMapping, readMappingText } from '../mapping/load/load-mapping.js';
import type { Expectations } from '../mapping/mapping.js';
import { mappingColumns } from '../mapping/rules.js';
import { type MappingTestResult, runMappingTests } from '../mapping/run-mapping-tests.js';
import { type MappingMistake, SourceError } from '../model/errors.js';
import { checkOptionTable } from '../model/options.js';
import { invalidRecord } from '../transform/made-documents.js';
import { guardFor } from '../transform/slow-expressions.js';
import { RECORD_OPTIONS } from './option-table.js';
import type { ValidateOptions } from './options.js';
import { SAMPLE_RECORDS, sampleSource } from './pipeline/check-drift.js';
import { planRecords } from './pipeline/plan-records.js';

export { readReadyMapping, readyMappings } from '../mapping/ready-mappings.js';
export type { MappingTestResult } from '../mapping/run-mapping-tests.js';

/**
 * Runs the tests that a mapping file carries. A record on which its expressions take as long as
 * makes one invalid in a run fails its test.
 * @throws MappingError
 */
export async function testMapping(file: string): Promise<readonly MappingTestResult[]> {
  const mapping = await loadMapping(file);
  const guard = guardFor({ mapping });
  if (guard === undefined) return runMappingTests(mapping);
  return runMappingTests(mapping, (work) => guard.oneRecord(work, invalidRecord));
}

/**
 * Finds everything that is wrong with a mapping file, without a source, and its TODOs.
 * @throws MappingError when it can't be read
 */
export async function checkMappingFile(file: string): Promise<readonly MappingMistake[]> {
  return checkMapping(await readMappingText(file));
}

/** Options of learning: those of a validation that concern single records. */
export type LearnOptions = Pick<
  ValidateOptions,
  'input' | 'mapping' | 'source' | 'profile' | 'schema' | 'asOf'
>;

/**
 * Finds out from the first records of a good file what files of its layout look like: what a
 * mapping can keep as `expects`.
 * @throws DocferryError as `validateDocuments` does; SourceError if there is more than one input, or
 *   no record in it
 */
export async function learnExpectations(options: LearnOptions): Promise<Expectations> {
  checkOptionTable(options, RECORD_OPTIONS, 'learnExpectations');
  const { transform, sources } = await planRecords(options, {
    started: new Date(),
    sends: false,
    surveys: true,
  });
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    for (const opened of sources) opened.close();
    throw new SourceError(
      `A mapping learns from one file, and there are ${others.length + 1}: name the one that is good.`,
    );
  }
  const { sample } = await sampleSource(source, transform);
  source.close();
  if (sample.records === 0) {
    throw new SourceError(
      `${source.name}: there is nothing to learn from it: it has no records. ${SAMPLE_RECORDS} are enough.`,
    );
  }
  return profileOf(sample, mappingColumns(transform.mapping));
}

/**
 * Puts what a good file looks like into the text of a mapping file.
 * @throws DocferryError as `learnExpectations` does
 */
export async function learnMapping(
  options: LearnOptions & { readonly mapping: string },
): Promise<{ readonly text: string; readonly expects: Expectations }> {
  const expects = await learnExpectations(options);
  const text = await readFile(options.mapping, 'utf8');
  return { text: writeExpectations(text, options.mapping, expects), expects };
}
