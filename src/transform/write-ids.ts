import { Buffer } from 'node:buffer';

/** SourceIds as JSON in UTF-8, a comma after each, and where each of them ends. */
export interface WrittenIds {
  readonly ids: Uint8Array;
  readonly idEnds: Uint32Array;
}

/** Writes all ids of a chunk in one go: a call of its own for each would take several times as long. */
export function writeIds(sourceIds: readonly (string | null)[]): WrittenIds {
  const idEnds = new Uint32Array(sourceIds.length);
  let text = '';
  for (const [index, sourceId] of sourceIds.entries()) {
    text += JSON.stringify(sourceId);
    idEnds[index] = text.length;
    text += ',';
  }
  const ids = Buffer.from(text, 'utf8');
  // Otherwise each character was a byte.
  if (ids.length !== text.length) setByteEnds(idEnds, sourceIds);
  return { ids, idEnds };
}

function setByteEnds(idEnds: Uint32Array, sourceIds: readonly (string | null)[]): void {
  let end = -1;
  for (const [index, sourceId] of sourceIds.entries()) {
    end += 1 + Buffer.byteLength(JSON.stringify(sourceId), 'utf8');
    idEnds[index] = end;
  }
}
