/** What the system refused to a process, for a person. */
export interface SystemFailure {
  readonly message: string;
  /** See the table in `docs/report.md`. */
  readonly exitCode: number;
}

/** By the system's own code. */
const FAILURES: Readonly<Record<string, SystemFailure>> = {
  EMFILE: {
    message:
      'The system lets this process open no more files: raise the limit (`ulimit -n`; 256 will do).',
    exitCode: 4,
  },
  ENFILE: {
    message: 'The system can open no more files: end other programs, or raise its limit.',
    exitCode: 4,
  },
  ENOMEM: { message: 'The system has no memory left for this process.', exitCode: 4 },
};

const NO_FOLDER: SystemFailure = {
  message: 'The folder that this was started in is gone: change to one that is there (`cd`).',
  exitCode: 2,
};

const NO_MEMORY: SystemFailure = {
  message:
    'There is not enough memory for WebAssembly, which docferry needs for its hashes: raise the limit of address space (`ulimit -v`; unlimited is usual).',
  exitCode: 4,
};

/** What an error says that the system refused; `undefined`: it is about something else. */
export function systemFailure(error: unknown): SystemFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return NO_FOLDER;
  if (error instanceof RangeError && /^WebAssembly\..*memory/i.test(error.message)) {
    return NO_MEMORY;
  }
  return FAILURES[code ?? ''];
}
