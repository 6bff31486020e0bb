import { readFile } from 'node:fs/promises';
import { profileOf } from '../coverage/drift.js';
import { writeExpectations } from '../mapping/load/edit-mapping.js';
import { checkMapping, loadMapping, readMappingText } from '../mapping/load/load-mapping.js';
import type { Expectations } from '../mapping/mapping.js';
import { mappingColumns } from '../mapping/rules.js';
import { type MappingTestResult, runMappingTests } from '../mapping/run-mapping-tests.js';
import { type MappingMistake, SourceError } from '../model/errors.js';
import { checkOptionTable } from '../model/options.js';
import { RECORD_OPTIONS } from './option-table.js';
import type { RecordOptions } from './options.js';
import { SAMPLE_LIMITS, sampleSource } from './pipeline/check-drift.js';
import { planRecords } from './pipeline/plan-records.js';

export { readReadyMapping, readyMappings } from '../mapping/ready-mappings.js';
export type { MappingTestResult } from '../mapping/run-mapping-tests.js';

/**
 * Runs the tests in a mapping file.
 * @throws MappingError
 */
export async function testMapping(file: string): Promise<readonly MappingTestResult[]> {
  return runMappingTests(await loadMapping(file));
}

/**
 * Lists all mistakes and TODOs of a mapping file, without a source.
 * @throws MappingError if the file can't be read
 */
export async function checkMappingFile(file: string): Promise<readonly MappingMistake[]> {
  return checkMapping(readMappingText(file));
}

/** Options of `learnExpectations`: those of a validation that concern single records. */
export type LearnOptions = RecordOptions;

/**
 * Profiles the first records of a good file, for the `expects` section of its mapping.
 * @throws OptionError; MappingError; SourceError if the input can't be opened, isn't the only one, or
 *   has no records; SourceBrokenError if it fails partway
 */
export async function learnExpectations(options: LearnOptions): Promise<Expectations> {
  checkOptionTable(options, RECORD_OPTIONS, 'learnExpectations');
  const { plan, sources } = await planRecords(options, { sends: false, surveys: true });
  try {
    const [source, ...others] = sources;
    if (source === undefined || others.length > 0) {
      throw new SourceError(
        `A mapping learns from one file, but there are ${others.length + 1}. Name one known to be good.`,
      );
    }
    const { sample } = await sampleSource(source, plan);
    if (sample.records === 0) {
      throw new SourceError(
        `${source.name} has no records to learn from. ${SAMPLE_LIMITS.records} are enough.`,
      );
    }
    return profileOf(sample, mappingColumns(plan.mapping));
  } finally {
    for (const source of sources) source.close();
  }
}

/**
 * Learns what a good file looks like, and writes that into the text of a mapping file.
 * @throws DocferryError as `learnExpectations` does
 */
export async function learnMapping(
  options: LearnOptions & { readonly mapping: string },
): Promise<{ readonly text: string; readonly expects: Expectations }> {
  const expects = await learnExpectations(options);
  const text = await readFile(options.mapping, 'utf8');
  return { text: writeExpectations(text, options.mapping, expects), expects };
}
