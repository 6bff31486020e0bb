/**
 * What a command's start leaves for its next: what V8 has compiled of docferry's own files, which
 * this loads, and answers that take long to find. Node's own cache (`module.enableCompileCache`) keeps what V8
 * compiles when it reads a file; but most functions are compiled when they are first called. So here
 * V8 is asked at the end of a command, and what each command needs is one file.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { crc32 } from 'node:zlib';

/** What V8 is given has to begin at such a multiple, or it is copied. */
const ALIGNMENT = 8;
const HEAD_BYTES = 8;
/** How long what is kept stays there, in milliseconds: a quarter of a year. */
const MAX_AGE = 90 * 24 * 3_600_000;

/** What V8 has compiled of a file. */
interface Compiled {
  /** Of the file's bytes: V8 itself looks at their number alone. */
  readonly checksum: number;
  readonly code: Buffer;
}

/** What is in the file. */
interface Kept {
  /** By a file's URL. */
  readonly compiled: ReadonlyMap<string, Compiled>;
  /** As the program has written them. */
  readonly answers: string;
}

const NOTHING: Kept = { compiled: new Map(), answers: '[]' };

/** CommonJS files of docferry's own, with what an earlier start has left. */
export class StartCache {
  readonly #file: string | undefined;
  readonly #kept: Kept;
  readonly #scripts = new Map<string, { readonly checksum: number; readonly script: vm.Script }>();
  readonly #modules = new Map<string, { exports: unknown }>();
  #isComplete = true;

  /** @param file where it is kept; `undefined`: nowhere */
  constructor(file: string | undefined) {
    this.#file = file;
    this.#kept = file === undefined ? NOTHING : readKept(file);
  }

  /** What {@link keep} was given by an earlier start. */
  get answers(): string {
    return this.#kept.answers;
  }

  /** Loads a file, if it isn't yet, and all that it requires. */
  load(url: URL): unknown {
    const loaded = this.#modules.get(url.href);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.#modules.set(url.href, module);
    const other = createRequire(url);
    const require = (id: string): unknown =>
      /^\.{1,2}\/.*\.cjs$/.test(id) ? this.load(new URL(id, url)) : other(id);
    const name = fileURLToPath(url);
    const run = this.#compiled(url).runInThisContext() as (...names: unknown[]) => void;
    run.call(module.exports, module.exports, require, module, name, path.dirname(name));
    return module.exports;
  }

  /** Keeps what is compiled and answered by now, if it wasn't all there. For a command's end. */
  keep(answers: string): void {
    if (this.#file === undefined || (this.#isComplete && answers === this.answers)) return;
    const draft = `${this.#file}.${process.pid}`;
    try {
      const bytes = written({ compiled: this.#all(), answers });
      writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#file);
      removeOld(path.dirname(this.#file));
    } catch {
      // Without it, the next start takes as long as this one.
    }
  }

  #compiled({ href }: URL): vm.Script {
    const bytes = readFileSync(new URL(href));
    const checksum = crc32(bytes);
    const kept = this.#kept.compiled.get(href);
    const script = new vm.Script(
      `(function (exports, require, module, __filename, __dirname) { ${bytes}\n});`,
      {
        filename: href,
        ...(kept?.checksum === checksum ? { cachedData: kept.code } : {}),
      },
    );
    // It is rejected if it comes from another version of V8, or from one with other flags.
    if (script.cachedDataRejected !== false) this.#isComplete = false;
    this.#scripts.set(href, { checksum, script });
    return script;
  }

  /** What was kept of other files belongs to it as well: another run of the command needs them. */
  #all(): ReadonlyMap<string, Compiled> {
    const all = new Map(this.#kept.compiled);
    for (const [name, { checksum, script }] of this.#scripts) {
      const kept = script.cachedDataRejected === false ? this.#kept.compiled.get(name) : undefined;
      const code = script.createCachedData();
      // There is less of it where this run has called fewer functions, or threads have.
      if (code.length >= (kept?.code.length ?? 0)) all.set(name, { checksum, code });
    }
    return all;
  }
}

/** Another version, or another place, may have left it; whoever still needs it makes it anew. */
function removeOld(folder: string): void {
  const oldest = Date.now() - MAX_AGE;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).mtimeMs < oldest) unlinkSync(file);
  }
}

/** A file's name, its checksum, and the length of what is compiled of it. */
type Entry = readonly [string, number, number];

/** The bytes of a file that {@link readKept} reads: a checksum of all that follows, answers and names, code. */
function written({ compiled, answers }: Kept): Buffer {
  const entries = Array.from(
    compiled,
    ([name, { checksum, code }]): Entry => [name, checksum, code.length],
  );
  const text = Buffer.from(JSON.stringify({ answers, entries }));
  const pieces = [text, ...Array.from(compiled.values(), ({ code }) => code)];
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length, 4);
  const padded = pieces.flatMap((piece) => [piece, Buffer.alloc(paddingOf(piece.length))]);
  const whole = Buffer.concat([head, ...padded]);
  whole.writeUInt32LE(crc32(whole.subarray(4)));
  return whole;
}

/** Nothing, if there is none, or it is damaged: V8 would run that, or end the process. */
function readKept(file: string): Kept {
  try {
    const whole = readFileSync(file);
    if (whole.readUInt32LE(0) !== crc32(whole.subarray(4))) return NOTHING;
    const length = whole.readUInt32LE(4);
    const text = whole.toString('utf8', HEAD_BYTES, HEAD_BYTES + length);
    const { answers, entries }: { answers: string; entries: Entry[] } = JSON.parse(text);
    const compiled = new Map<string, Compiled>();
    let at = HEAD_BYTES + length + paddingOf(length);
    for (const [name, checksum, bytes] of entries) {
      compiled.set(name, { checksum, code: whole.subarray(at, at + bytes) });
      at += bytes + paddingOf(bytes);
    }
    return { compiled, answers };
  } catch {
    // It isn't there, or can't be read.
    return NOTHING;
  }
}

function paddingOf(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/**
 * Where what a command needs is kept: a file of the user's own, as V8 runs what is there.
 * @param program the folder of what is loaded
 * @param command the first argument, if there is one
 * @returns `undefined` where there is no folder for caches, or others can write there
 */
export function keptFile(
  program: string,
  command: string | undefined,
  { XDG_CACHE_HOME, HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv,
): string | undefined {
  const caches = XDG_CACHE_HOME || (HOME ? path.join(HOME, '.cache') : LOCALAPPDATA);
  const name = /^-{0,2}([a-z][a-z-]{0,30})$/.exec(command ?? 'help')?.[1];
  if (NODE_DISABLE_COMPILE_CACHE || !caches || name === undefined) return undefined;
  const folder = path.join(caches, 'docferry');
  try {
    // One by one: to make several at once, Node tries for ever on a file system like /proc.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    if (!isOwn(folder)) return undefined;
  } catch {
    return undefined;
  }
  const { version, versions, arch } = process;
  const place = crc32(program).toString(16);
  // With the data of time zones, which a system may renew without Node.
  return path.join(folder, [name, place, version, arch, versions['tz']].join('-'));
}

function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}
