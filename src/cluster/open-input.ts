import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openSources } from '../formats/open-sources.js';
import type { Chunk } from '../model/chunk.js';
import { SourceError } from '../model/errors.js';
import type { Source, Span } from '../model/source.js';
import type { PlannedInput, RunPlan } from './run-plan.js';

/** Where a folder of the machine that began a run lies on this one. */
export interface Root {
  readonly there: string;
  readonly here: string;
}

/**
 * Opens an input of a run where this machine has it, and makes sure that it looks the same.
 * @throws SourceError that says what to do if it isn't there, or is another file
 */
export async function openInput(
  plan: RunPlan,
  input: number,
  roots: readonly Root[],
): Promise<Source> {
  const planned = plan.inputs[input] as PlannedInput;
  const here = placeOf(planned.path, roots);
  const sources = await openSources(here, plan.reading).catch((error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(
      `This worker does not see ${planned.path}, which the run reads: ${error.message} If it lies elsewhere here, say so with --root ${path.dirname(planned.path)}=FOLDER.`,
    );
  });
  const source = sources[planned.member];
  for (const other of sources) if (other !== source) other.close();
  const size = source?.file?.size;
  if (source === undefined || size !== planned.size) {
    throw new SourceError(
      `This worker sees another file as ${here} than the run was begun with: it has ${size} bytes, and there it had ${planned.size}. Give all workers the same file.`,
    );
  }
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(source.layout)), planned.layout)) {
    throw new SourceError(
      `This worker sees another file as ${here} than the run was begun with: its columns or its layout are others. Give all workers the same file.`,
    );
  }
  return source;
}

function placeOf(file: string, roots: readonly Root[]): string {
  for (const { there, here } of roots) {
    const inside = path.relative(there, file);
    if (!inside.startsWith('..') && !path.isAbsolute(inside)) return path.join(here, inside);
  }
  return file;
}

/** A source under the name and number that it has in the run, or a span of it. */
export function partOf(
  source: Source,
  { name }: PlannedInput,
  { input, span }: { readonly input: number; readonly span: Span | undefined },
): Source {
  let read = 0;
  return {
    ...source,
    name,
    input,
    // The source itself counts for all its spans, and beyond their ends.
    bytesRead: span === undefined ? source.bytesRead : () => read,
    async *chunks(signal) {
      for await (const chunk of source.chunks(signal, span)) {
        if ('bytes' in chunk) read += chunk.bytes.byteLength;
        yield { ...chunk, source: name, input } as Chunk;
      }
    },
  };
}
