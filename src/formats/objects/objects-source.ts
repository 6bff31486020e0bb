import { abortable } from '../../input/abortable.js';
import type { ObjectsInput } from '../../input/raw-input.js';
import type { Chunk, Layout } from '../../model/chunk.js';
import type { Source } from '../../model/source.js';
import { cutObjects } from './cut-objects.js';

const LAYOUT: Layout & { format: 'objects' } = { format: 'objects' };

/** A source of objects that a program hands over. */
export function objectsSource(raw: ObjectsInput, input: number): Source {
  const { name } = raw;
  return {
    name,
    input,
    size: null,
    file: null,
    layout: LAYOUT,
    detected: { format: 'objects', encoding: null, compression: null },
    notices: raw.empty ? ['The input is empty: there are no records in it.'] : [],
    head: new Uint8Array(),
    tail: new Uint8Array(),
    bytesRead: () => 0,
    chunks: (signal): AsyncGenerator<Chunk, void, undefined> =>
      cutObjects(
        { source: name, input, layout: LAYOUT },
        abortable(raw.items(), () => raw.close(), signal),
      ),
  };
}
