import { checkMapping, loadMapping, readMappingText } from '../mapping/load/load-mapping.js';
import { type MappingTestResult, runMappingTests } from '../mapping/run-mapping-tests.js';
import type { MappingMistake } from '../model/errors.js';
import { invalidRecord } from '../transform/made-documents.js';
import { guardFor } from '../transform/slow-expressions.js';

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
