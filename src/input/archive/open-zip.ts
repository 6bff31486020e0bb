import type { Decompressed } from '../decompress/decompressed.js';
import { Expansion } from '../decompress/expansion.js';
import type { RawInput } from '../raw-input.js';
import { SeekableInput } from '../seekable.js';
import { listMembers, type Member } from './members.js';

/** A zip archive whose members are listed. */
export interface OpenedZip {
  readonly seekable: SeekableInput;
  readonly members: readonly Member[];
  /** Bounds what comes out of it. */
  readonly expansion: Expansion;
}

/**
 * Lists what a zip archive holds.
 * @param closing is given what releases what stays open
 * @throws SourceError, BrokenInput
 */
export async function openZip(
  raw: RawInput,
  inside: Decompressed,
  maxExpansion: number,
  closing: (() => void)[],
): Promise<OpenedZip> {
  const seekable = new SeekableInput(raw, inside);
  closing.push(() => seekable.done());
  const bytes = await seekable.open();
  try {
    const members = await listMembers(raw.name, bytes);
    const { size } = bytes;
    const compressed = {
      name: raw.name,
      what: 'the archive',
      mostTimes: maxExpansion,
      bytes: () => size,
    } as const;
    return { seekable, members, expansion: inside.expansion ?? new Expansion(compressed) };
  } finally {
    bytes.close();
  }
}

/** The members of an archive as inputs, under its name and theirs. */
export function memberInputs(
  archive: RawInput,
  seekable: SeekableInput,
  members: readonly Member[],
  expansion: Expansion,
): readonly RawInput[] {
  const open = new Set(members);
  const release = (member: Member): void => {
    open.delete(member);
    if (open.size === 0) seekable.done();
  };
  async function* pieces(
    member: Member,
    counted?: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array> {
    const bytes = await seekable.open();
    try {
      yield* member.pieces(bytes, expansion, counted);
    } finally {
      bytes.close();
    }
  }
  return members.map((member) => ({
    kind: 'bytes',
    name: `${archive.name}/${member.name}`,
    size: member.compressedBytes,
    file: archive.file,
    isMember: true,
    expansion,
    decoded: false,
    peek: () => pieces(member),
    read: (counted) => pieces(member, counted),
    close: () => release(member),
  }));
}
