/**
 * Loads docferry's own files with what V8 has compiled of them in an earlier start, which takes a
 * quarter off the time of a small run. Node's own cache (`module.enableCompileCache`) keeps what V8
 * compiles when it reads a file; but most functions are compiled when they are first called. So here
 * V8 is asked at the end of a command, and what each command needs is one file.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { crc32 } from 'node:zlib';

/** What V8 is given has to begin at such a multiple, or it is copied. */
const ALIGNMENT = 8;
const HEAD_BYTES = 8;

/** What V8 has compiled of a file. */
interface Compiled {
  /** Of the file's bytes: V8 itself looks at their number alone. */
  readonly checksum: number;
  readonly code: Buffer;
}

/** CommonJS files of docferry's own, and what V8 has compiled of them. */
export class CompiledCode {
  readonly #file: string | undefined;
  readonly #kept: ReadonlyMap<string, Compiled>;
  readonly #scripts = new Map<string, { readonly checksum: number; readonly script: vm.Script }>();
  readonly #modules = new Map<string, { exports: unknown }>();
  #isComplete = true;

  /** @param file where it is kept; `undefined`: nowhere */
  constructor(file: string | undefined) {
    this.#file = file;
    this.#kept = file === undefined ? new Map() : readKept(file);
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

  /** Keeps what is compiled by now, if it wasn't all there. To be called once a command has ended. */
  keep(): void {
    if (this.#file === undefined || this.#isComplete) return;
    const draft = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(draft, written(this.#all()), { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#file);
    } catch {
      // Without it, the next start takes as long as this one.
    }
  }

  #compiled({ href }: URL): vm.Script {
    const bytes = readFileSync(new URL(href));
    const checksum = crc32(bytes);
    const kept = this.#kept.get(href);
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
    const all = new Map(this.#kept);
    for (const [name, { checksum, script }] of this.#scripts) {
      const kept = script.cachedDataRejected === false ? this.#kept.get(name) : undefined;
      const code = script.createCachedData();
      // There is less of it where this run has called fewer functions, or threads have.
      if (code.length >= (kept?.code.length ?? 0)) all.set(name, { checksum, code });
    }
    return all;
  }
}

/** A file's name, its checksum, and the length of what is compiled of it. */
type Entry = readonly [string, number, number];

/** The bytes of a file that {@link readKept} reads: a checksum of all that follows, names, code. */
function written(all: ReadonlyMap<string, Compiled>): Buffer {
  const entries = Array.from(
    all,
    ([name, { checksum, code }]): Entry => [name, checksum, code.length],
  );
  const names = Buffer.from(JSON.stringify(entries));
  const pieces = [names, ...Array.from(all.values(), ({ code }) => code)];
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(names.length, 4);
  const padded = pieces.flatMap((piece) => [piece, Buffer.alloc(paddingOf(piece.length))]);
  const whole = Buffer.concat([head, ...padded]);
  whole.writeUInt32LE(crc32(whole.subarray(4)));
  return whole;
}

/** Nothing, if there is none, or it is damaged: V8 would run that, or end the process. */
function readKept(file: string): ReadonlyMap<string, Compiled> {
  const kept = new Map<string, Compiled>();
  try {
    const whole = readFileSync(file);
    if (whole.readUInt32LE(0) !== crc32(whole.subarray(4))) return kept;
    const length = whole.readUInt32LE(4);
    const names = whole.toString('utf8', HEAD_BYTES, HEAD_BYTES + length);
    let at = HEAD_BYTES + length + paddingOf(length);
    for (const [name, checksum, bytes] of JSON.parse(names) as Entry[]) {
      kept.set(name, { checksum, code: whole.subarray(at, at + bytes) });
      at += bytes + paddingOf(bytes);
    }
  } catch {
    // It isn't there, or can't be read.
  }
  return kept;
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
  const { version, arch } = process;
  return path.join(folder, `${name}-${crc32(program).toString(16)}-${version}-${arch}`);
}

function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}
