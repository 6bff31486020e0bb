import { ResumeError } from '../model/errors.js';
import { checkNames, type Names } from '../model/known-names.js';
import { openStore } from '../runs/open-store.js';
import { Run } from '../runs/run.js';
import { openService, type Service } from './open-service.js';
import type { ImportOptions } from './options.js';

/** A run that is kept, and the way to its service. */
export interface KeptRunOptions
  extends Pick<ImportOptions, 'connection' | 'service' | 'quietMs' | 'lookForMs' | 'signal'> {
  readonly stateDir: string;
  /** The run's id. */
  readonly run: string;
}

const NAMES: Names<KeptRunOptions> = {
  connection: true,
  service: true,
  quietMs: true,
  lookForMs: true,
  signal: true,
  stateDir: true,
  run: true,
};

/**
 * Takes a run and opens the way to where its documents went, to look at what became of them.
 * @param by the function whose options they are
 * @throws ResumeError if it isn't there, a process has it, or it went elsewhere; JournalError, OptionError
 */
export async function withKeptRun<T>(
  options: KeptRunOptions,
  by: string,
  use: (run: Run, service: Service) => Promise<T>,
): Promise<T> {
  checkNames(options, NAMES, by);
  const run = await Run.take(openStore(options.stateDir), options.run);
  try {
    const { target } = run.description;
    const { monitoring } = target;
    const service = openService({ ...options, monitoring }, { connections: 2 });
    const name = options.service ?? service.target.baseUrl;
    try {
      if (name === target.service) return await use(run, service);
    } finally {
      await service.close();
    }
    throw new ResumeError(
      `The run ${run.id} went to ${target.service}, and not to ${name}: name that service.`,
    );
  } finally {
    await run.release();
  }
}
