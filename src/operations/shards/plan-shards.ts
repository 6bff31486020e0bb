import { planSpans } from '../../formats/plan-spans.js';
import { hashSpan } from '../../input/file-input.js';
import type { Chunk } from '../../model/chunk.js';
import { OptionError, SourceError } from '../../model/errors.js';
import type { RegularFile, Source, Span } from '../../model/source.js';

/** Part of one input: all of it, or a span that begins and ends on records. */
export interface ShardPart {
  readonly input: number;
  /** `null` for the whole input. */
  readonly span: Span | null;
  /** SHA-256 of its bytes on disk, in hexadecimal. */
  readonly hash: string;
}

/**
 * Checks that other processes can read the inputs.
 * @throws OptionError
 */
export function checkFiles(sources: readonly Source[]): void {
  sources.forEach(sizeOf);
}

/**
 * Divides inputs among shards of about the same size: whole inputs, except that one larger than a
 * shard is cut if it can be. The same inputs are divided in the same way.
 * @returns the parts of each shard, in the order of the inputs
 * @throws SourceBrokenError; SourceError if an input can't be read
 */
export async function planShards(
  sources: readonly Source[],
  count: number,
  signal: AbortSignal,
): Promise<readonly (readonly ShardPart[])[]> {
  const sizes = sources.map(sizeOf);
  const share = sizes.reduce((sum, size) => sum + size, 0) / count;
  const shards: ShardPart[][] = Array.from({ length: count }, () => []);
  const hashes = new PartHashes();
  const add = (part: ShardPart, byte: number): void => {
    const shard = share === 0 ? 0 : Math.min(count - 1, Math.floor(byte / share));
    shards[shard]?.push(part);
  };
  let before = 0;
  for (const [input, source] of sources.entries()) {
    const size = sizes[input] as number;
    if (source.divisible && size > share) {
      for await (const span of spansOf(source, { share, before, signal })) {
        const hash = await hashes.of(source, span);
        add({ input, span, hash }, before + span.from.byte);
      }
    } else {
      const hash = await hashes.of(source, null);
      add({ input, span: null, hash }, before + size / 2);
    }
    signal.throwIfAborted();
    before += size;
  }
  return shards;
}

/** Hashes parts of files; a whole file once, as the members of an archive share it. */
export class PartHashes {
  readonly #whole = new Map<string, Promise<string>>();

  async of({ file }: Source, span: Span | null): Promise<string> {
    const { path, size } = file as RegularFile;
    if (span !== null) return await hashSpan(path, span);
    const hash = this.#whole.get(path) ?? hashSpan(path, { from: { byte: 0 }, to: size });
    this.#whole.set(path, hash);
    return await hash;
  }
}

function sizeOf({ name, file }: Source): number {
  if (file !== null) return file.size;
  throw new OptionError(
    `Only this process can read ${name}, and each of an import's shards reads its own part. Save it to a file that all of them can read, or leave out --shard and --run.`,
  );
}

interface Cutting {
  /** Bytes of a shard. */
  readonly share: number;
  /** Bytes of the inputs before. */
  readonly before: number;
  readonly signal: AbortSignal;
}

/** Cuts an input where the bytes of one shard end and those of the next begin. */
async function* spansOf(
  source: Source,
  { share, before, signal }: Cutting,
): AsyncGenerator<Span, void, undefined> {
  const bytesFrom = (byte: number): number => share - ((before + byte) % share);
  for await (const { span } of planSpans(source, { bytesFrom, signal })) yield span;
}

/**
 * Restricts a source to a part of it, after checking that its bytes are those that were planned.
 * @throws SourceError if they differ
 */
export async function sourceOfPart(
  source: Source,
  part: ShardPart,
  hashes: PartHashes,
): Promise<Source> {
  const { name, file } = source;
  const { span, hash } = part;
  if ((await hashes.of(source, span)) !== hash) {
    const where = span === null ? '' : `bytes ${span.from.byte} to ${span.to} of `;
    throw new SourceError(
      `${name} differs from the file that this import began with: ${where}${file?.path} ${span === null ? 'has another content' : 'are others'}. Give all processes the same file; for a new export, choose a new --run.`,
    );
  }
  return span === null ? source : sourceOfSpan(source, span);
}

function sourceOfSpan(source: Source, span: Span): Source {
  let read = 0;
  return {
    ...source,
    size: span.to - span.from.byte,
    // The source itself would count what was read to plan, and beyond the end of the span.
    bytesRead: () => read,
    async *chunks(signal): AsyncGenerator<Chunk, void, undefined> {
      for await (const chunk of source.chunks(signal, span)) {
        if ('bytes' in chunk) read += chunk.bytes.byteLength;
        yield chunk;
      }
    },
  };
}
