import { SourceError } from '../../model/errors.js';
import type { Expansion } from '../decompress/expansion.js';
import type { RawInput } from '../raw-input.js';
import type { SeekableInput } from '../seekable.js';
import type { Member } from './members.js';

/** Members that are read, and what is to be said of the others. */
export interface ChosenMembers {
  readonly members: readonly Member[];
  readonly notices: readonly string[];
}

const EXPORT_NAME =
  /\.(csv|tsv|tab|psv|txt|json|jsonl|ndjson|jsonlines|ldjson|xlsx|xlsm|parquet)(\.(gz|zst))?$/i;
/** What systems put into archives beside what a person put there. */
const BY_THE_WAY = /(^|\/)(__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)/i;
const MOST_READ = 1000;
const MOST_NAMED = 5;

/**
 * Which files of an archive are exports, judged by their names; a single file whatever its name.
 * @throws SourceError if there are none, or too many
 */
export function chooseMembers(name: string, all: readonly Member[]): ChosenMembers {
  const members = all.filter((member) => !BY_THE_WAY.test(member.name));
  if (members.length === 1) return { members, notices: [] };
  const fitting = members.filter((member) => EXPORT_NAME.test(member.name));
  if (fitting.length === 0) throw new SourceError(nothingFits(name, members));
  if (fitting.length > MOST_READ) {
    throw new SourceError(
      `${name} is an archive of ${fitting.length} exports, more than the ${MOST_READ} that are read: unpack it, and name those that are to be read.`,
    );
  }
  const others = members.filter((member) => !fitting.includes(member));
  const notices =
    others.length === 0
      ? []
      : [`${name}: ${namesOf(others)} left out, as the names are not those of exports.`];
  return { members: fitting, notices };
}

function nothingFits(name: string, members: readonly Member[]): string {
  const what = members.length === 0 ? 'no files' : `no export, only ${namesOf(members)}`;
  return `${name} is a zip archive with ${what}: expected CSV, JSON, JSON Lines, XLSX or Parquet. Unpack it, and name the file that is to be read.`;
}

function namesOf(members: readonly Member[]): string {
  const named = members.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = members.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
    size: member.packedBytes,
    file: archive.file,
    isMember: true,
    expansion,
    decoded: false,
    look: () => pieces(member),
    read: (counted) => pieces(member, counted),
    close: () => release(member),
  }));
}
