import type { Command, CommandGroup } from './command.js';
import { AUTHORS, CHART, CONTEXT, DOCUMENTS, INDICATORS } from './commands/documents.js';
import { FEED } from './commands/feed.js';
import { IMPORT, VALIDATE } from './commands/import.js';
import { GUESS } from './commands/mapping/guess.js';
import { MAPPING } from './commands/mapping/mapping.js';
import { PREVIEW } from './commands/mapping/preview.js';
import { STUDIO } from './commands/mapping/studio.js';
import { MONITORINGS } from './commands/monitorings.js';
import { REPORT } from './commands/report.js';
import { RUNS, VERIFY } from './commands/runs.js';
import { SANDBOX } from './commands/sandbox.js';
import { TARGET_SINGER } from './commands/target-singer.js';
import { WORKER } from './commands/worker.js';

/** All commands, in the order of `--help`. What they run is loaded when they run. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  IMPORT,
  VALIDATE,
  PREVIEW,
  GUESS,
  STUDIO,
  RUNS,
  REPORT,
  VERIFY,
  TARGET_SINGER,
  WORKER,
  MAPPING,
  MONITORINGS,
  DOCUMENTS,
  FEED,
  CONTEXT,
  AUTHORS,
  INDICATORS,
  CHART,
  SANDBOX,
];
