import type { ValidateOptions } from './options.js';
import { ImportRun, type RunEnd, RunStage, traced } from './pipeline/import-run.js';
import { prepareRun } from './pipeline/prepare-run.js';
import { readDocuments, startThreads } from './pipeline/read-documents.js';
import { finishRun } from './pipeline/write-report.js';
import { runSettings } from './settings.js';

/**
 * Takes the path of an import without sending: says of every record whether it is good. Valid records count as
 * `unsent`.
 */
export function validateDocuments(options: ValidateOptions): ImportRun {
  const stage = new RunStage();
  return new ImportRun(stage, begin(options, stage), options);
}

async function begin(options: ValidateOptions, stage: RunStage): Promise<RunEnd> {
  await stage.begin(options, 'validateDocuments');
  const { signal } = stage;
  return await traced('docferry.validate', () => validate({ ...options, signal }, stage));
}

async function validate(options: ValidateOptions, stage: RunStage): Promise<RunEnd> {
  const settings = runSettings(options);
  const threads = await startThreads(options, settings);
  try {
    const run = await prepareRun(options, { settings, stage, target: null });
    for await (const _ of readDocuments(run, threads));
    return await finishRun(run);
  } finally {
    await threads?.stop();
  }
}
