import type { FileContext } from '../../formats/open-text.js';
import type { WorkbookInput } from '../../formats/xlsx/open-workbook.js';
import { SourceError } from '../../model/errors.js';
import type { Decompressed } from '../decompress/decompressed.js';
import { Expansion } from '../decompress/expansion.js';
import { limitsOf } from '../limits.js';
import type { RawInput } from '../raw-input.js';
import { SeekableInput } from '../seekable.js';
import { chooseMembers, memberInputs } from './choose-members.js';
import { listMembers, type Member } from './members.js';

/** What a zip archive has turned out to be. */
export type OpenedZip =
  | { readonly kind: 'workbook'; readonly workbook: WorkbookInput }
  | {
      readonly kind: 'archive';
      readonly members: readonly RawInput[];
      readonly notices: readonly string[];
    };

/**
 * Opens a zip archive: a workbook is one, too.
 * @throws SourceError, BrokenInput
 */
export async function openZip(
  raw: RawInput,
  decompressed: Decompressed,
  context: FileContext,
): Promise<OpenedZip> {
  const seekable = new SeekableInput(raw, decompressed);
  context.onFailure(() => seekable.done());
  const { all, size } = await membersOf(raw.name, seekable);
  refuseOtherDocuments(raw.name, all);
  const { maxExpansion } = limitsOf(context.options);
  const expansion =
    decompressed.expansion ??
    new Expansion({
      name: raw.name,
      what: 'the archive',
      mostTimes: maxExpansion,
      bytes: () => size,
    });
  if (isWorkbook(all)) {
    return { kind: 'workbook', workbook: { raw, decompressed, seekable, parts: all, expansion } };
  }
  refuseNesting(raw, decompressed);
  const { members, notices } = chooseMembers(raw.name, all);
  expansion.check(members.reduce((sum, { statedBytes }) => sum + statedBytes, 0));
  return {
    kind: 'archive',
    members: memberInputs(raw, seekable, members, expansion),
    notices: [...context.notices, ...notices],
  };
}

async function membersOf(
  name: string,
  seekable: SeekableInput,
): Promise<{ readonly all: readonly Member[]; readonly size: number }> {
  const bytes = await seekable.open();
  try {
    return { all: await listMembers(name, bytes), size: bytes.size };
  } finally {
    bytes.close();
  }
}

function isWorkbook(members: readonly Member[]): boolean {
  const has = (name: RegExp): boolean => members.some((member) => name.test(member.name));
  return has(/^\[Content_Types\]\.xml$/i) && has(/(^|\/)xl\//i);
}

/** Documents that are zip archives as well, known by a member of theirs. */
const OTHERS: readonly { readonly part: RegExp; readonly what: string }[] = [
  { part: /^xl\/workbook\.bin$/i, what: 'a binary Excel workbook (.xlsb)' },
  { part: /^word\/document\.xml$/i, what: 'a Word document' },
  { part: /^ppt\/presentation\.xml$/i, what: 'a presentation' },
  { part: /^Index\/.*\.iwa$|^Index\.zip$/i, what: 'a Numbers, Pages or Keynote document' },
  { part: /^(mimetype|META-INF\/manifest\.xml)$/, what: 'an OpenDocument file (.ods, .odt)' },
];

function refuseOtherDocuments(name: string, members: readonly Member[]): void {
  const other = OTHERS.find(({ part }) => members.some((member) => part.test(member.name)));
  if (other === undefined) return;
  throw new SourceError(
    `${name} is ${other.what}, which can't be read: save the table in it as .xlsx or as CSV.`,
  );
}

/** Archives in archives would multiply what comes out of them. */
function refuseNesting({ name, isMember }: RawInput, { compression }: Decompressed): void {
  if (!isMember && compression === null) return;
  throw new SourceError(`${name} is an archive inside of another one: unpack it once.`);
}
