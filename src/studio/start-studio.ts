import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { rememberLanguages } from '../mapping/steps/text.js';
import { OptionError } from '../model/errors.js';
import { refuseLink } from '../outputs/check-output.js';
import { programName } from '../report/program-name.js';
import { createStudioApp } from './app.js';
import { Jobs } from './jobs.js';
import { ReportPages } from './pages.js';
import type { StudioService } from './service.js';
import { SourceFile } from './source-file.js';

export interface StudioOptions {
  /** Source file to make a mapping for. */
  readonly file: string;
  /** The mapping file; default: `reviews.mapping.yaml` next to `reviews.csv`. */
  readonly mapping?: string | undefined;
  /** Whether a mapping shipped with docferry may be proposed if it fits the layout; default true. */
  readonly ready?: boolean | undefined;
  /** Port on 127.0.0.1; default 0: any free port. */
  readonly port?: number | undefined;
  /** Service to import into; default: none, the page shows the command instead. */
  readonly service?: StudioService | undefined;
  /** Builds a command line for the user to copy. */
  readonly commandLine: (command: 'import' | 'studio', file: string, mapping: string) => string;
}

/** A running studio. */
export interface RunningStudio {
  /** Contains the token in its fragment, which browsers never send to a server. */
  readonly url: string;
  /** Path of the mapping file. */
  readonly mapping: string;
  /** Whether a check, a rehearsal or an import is running. */
  readonly isBusy: boolean;
  /** Interrupts a running job, waits for its end, and stops the server. */
  close(): Promise<void>;
}

/**
 * Starts a studio that listens on 127.0.0.1 only; no option changes that.
 * @throws OptionError for options that can't be used
 */
export async function startStudio(options: StudioOptions): Promise<RunningStudio> {
  const { file, port = 0, ready = true, service, commandLine } = options;
  checkFile(file);
  const mapping = options.mapping ?? defaultMappingPath(file);
  refuseLink({ path: mapping, what: 'mapping' });
  // Each edit maps the same sample again.
  rememberLanguages();
  const token = randomBytes(32).toString('base64url');
  const jobs = new Jobs();
  const commands = {
    import: commandLine('import', file, mapping),
    studio: commandLine('studio', file, mapping),
    monitorings: `${programName()} monitorings list`,
  };
  const reports = new ReportPages();
  const source = new SourceFile(file, ready);
  const studio = { source, mapping, commands, jobs, reports, service };
  const app = createStudioApp(studio, { token, port: () => portOf(server) });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${portOf(server)}/#token=${token}`,
    mapping,
    get isBusy() {
      return jobs.isBusy;
    },
    close: async () => {
      await jobs.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new OptionError(`There is no file ${file}. Check the path.`);
  if (found.isFile()) return;
  throw new OptionError(`${file} is not a regular file. The studio works on one file at a time.`);
}

/** `exports/reviews.csv.gz` → `exports/reviews.mapping.yaml`. */
function defaultMappingPath(file: string): string {
  const stem = path.basename(file).replace(/(?<=.)\..*$/u, '');
  return path.join(path.dirname(file), `${stem}.mapping.yaml`);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    throw new OptionError(
      `The studio can't listen on port ${port} (${(error as NodeJS.ErrnoException).code}). Choose a different one with --port, or leave out --port to use any free port.`,
    );
  }
}
