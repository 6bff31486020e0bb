import { ResumeError } from '../model/errors.js';
import { checkNames, type Names } from '../model/known-names.js';
import type { RunDescription } from '../runs/sqlite/description.js';
import { type HeldRun, holdRun } from '../runs/sqlite/run-folders.js';
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

/** A run taken to look at what became of its documents. */
interface OpenedRun {
  readonly held: HeldRun;
  readonly service: Service;
  close(): Promise<void>;
}

/**
 * Takes a run and opens the way to where its documents went.
 * @param by the function whose options they are
 * @throws ResumeError if it isn't there, is under way, or went elsewhere; JournalError, OptionError
 */
export function openKeptRun(options: KeptRunOptions, by: string): OpenedRun {
  checkNames(options, NAMES, by);
  const held = holdRun(options.stateDir, options.run);
  try {
    const description = descriptionOf(held);
    const { monitoring } = description.target;
    const service = openService({ ...options, monitoring }, { connections: 2 });
    const name = options.service ?? service.target.baseUrl;
    if (name !== description.target.service) {
      throw new ResumeError(
        `The run ${held.id} went to ${description.target.service}, and not to ${name}: name that service.`,
      );
    }
    return {
      held,
      service,
      close: async () => {
        held.release();
        await service.close();
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

function descriptionOf({ id, journal }: HeldRun): RunDescription {
  if (journal.description !== undefined) return journal.description;
  throw new ResumeError(`The run ${id} was cut off before anything was sent: it has no documents.`);
}
