/** Zip archives: formats whose files are such, and archives of exports. */
import { type Member, memberInputs, type OpenedZip } from '../input/archive.js';
import type { Decompressed } from '../input/decompress/decompressed.js';
import type { RawInput } from '../input/raw-input.js';
import { SourceError } from '../model/errors.js';
import type { BinaryFile, BinaryOne } from './format.js';
import { BINARY_FORMATS, FILE_FORMATS } from './formats.js';

/** What a zip archive holds: a file of a format, or files that are read as inputs. */
export type ZipContent =
  | { readonly kind: 'binary'; readonly format: BinaryOne; readonly file: BinaryFile }
  | {
      readonly kind: 'archive';
      readonly members: readonly RawInput[];
      readonly notices: readonly string[];
    };

/**
 * Finds out what a zip archive holds.
 * @throws SourceError, BrokenInput
 */
export function recogniseZip(zip: OpenedZip, raw: RawInput, inside: Decompressed): ZipContent {
  const { members, expansion } = zip;
  const names = members.map(({ name }) => name);
  refuseOthers(raw.name, names);
  const file = { name: raw.name, ...zip };
  const format = BINARY_FORMATS.find(({ binary }) => binary.isZip?.(names));
  const { wantedMember = null } = raw;
  if (format !== undefined && wantedMember === null) return { kind: 'binary', format, file };
  refuseNesting(raw, inside);
  const chosen =
    wantedMember === null
      ? chooseMembers(raw.name, members)
      : [findMember(raw.name, members, wantedMember)];
  expansion.check(chosen.reduce((sum, { statedBytes }) => sum + statedBytes, 0));
  const notices = wantedMember === null ? noticesOn(raw.name, members, chosen) : [];
  return { kind: 'archive', members: memberInputs(raw, zip, chosen), notices };
}

/** A document that is a zip archive as well, known by a member of it. */
interface OtherDocument {
  readonly part: RegExp;
  readonly what: string;
}

const OTHERS: readonly OtherDocument[] = [
  { part: /^xl\/workbook\.bin$/i, what: 'a binary Excel workbook (.xlsb)' },
  { part: /^word\/document\.xml$/i, what: 'a Word document' },
  { part: /^ppt\/presentation\.xml$/i, what: 'a presentation' },
  {
    part: /^(mimetype|META-INF\/manifest\.xml)$/,
    what: 'an OpenDocument file (.ods, .odt)',
  },
  { part: /^Index\/.*\.iwa$|^Index\.zip$/i, what: 'a Numbers, Pages or Keynote document' },
];

function refuseOthers(name: string, members: readonly string[]): void {
  const other = OTHERS.find(({ part }) => members.some((member) => part.test(member)));
  if (other === undefined) return;
  throw new SourceError(
    `${name} is ${other.what}, which can't be read: save the table in it as .xlsx or as CSV.`,
  );
}

/** Archives in archives would multiply what comes out of them. */
function refuseNesting({ name, isMember }: RawInput, { compression }: Decompressed): void {
  if (!isMember && compression === null) return;
  throw new SourceError(`${name} is an archive inside of another one: extract it once.`);
}

/** Text of any format may be called so. */
const ANY_TEXT = 'txt';
/** What systems put into archives beside what a person put there. */
const BY_THE_WAY = /(^|\/)(__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)/i;
/** Readmes, licences, manifests and checksums beside exports. */
const ABOUT_EXPORTS =
  /(^|\/)(?:read[ _-]?me|licen[cs]e|copying|notice|change(?:s|log)|manifest|metadata|datapackage|checksums?|(?:md5|sha\d+)sums?)(?:\.[^/]*)?$/i;
const MAX_READ = 1000;
const MAX_NAMED = 5;

/**
 * Which files of an archive are exports, judged by their names; a single file whatever its name.
 * @throws SourceError if there are none, or too many
 */
function chooseMembers(name: string, all: readonly Member[]): readonly Member[] {
  const members = all.filter(isMeant);
  if (members.length === 1) return members;
  const extensions = [ANY_TEXT, ...FILE_FORMATS.flatMap((format) => format.extensions)];
  const exportName = new RegExp(`\\.(${extensions.join('|')})(\\.(gz|zst))?$`, 'i');
  const named = members.filter((member) => exportName.test(member.name));
  const exports = named.filter((member) => !ABOUT_EXPORTS.test(member.name));
  const fitting = exports.length === 0 ? named : exports;
  if (fitting.length === 0) throw new SourceError(nothingFits(name, members));
  if (fitting.length > MAX_READ) {
    throw new SourceError(
      `${name} is an archive of ${fitting.length} exports, more than the ${MAX_READ} that are read: extract it, and name the files to read.`,
    );
  }
  return fitting;
}

function isMeant({ name }: Member): boolean {
  return !BY_THE_WAY.test(name);
}

function noticesOn(
  name: string,
  all: readonly Member[],
  chosen: readonly Member[],
): readonly string[] {
  const others = all.filter((member) => isMeant(member) && !chosen.includes(member));
  if (others.length === 0) return [];
  return [`${name}: ${namesOf(others)} left out, as the names are not those of exports.`];
}

/** The member that is named. */
function findMember(archive: string, all: readonly Member[], wanted: string): Member {
  const member = all.find(({ name }) => name === wanted);
  if (member !== undefined) return member;
  throw new SourceError(
    `${archive} has no file ${wanted} in it; it holds ${namesOf(all)}: check the name.`,
  );
}

function nothingFits(name: string, members: readonly Member[]): string {
  const what = members.length === 0 ? 'no files' : `no export, only ${namesOf(members)}`;
  const titles = FILE_FORMATS.map(({ title }) => title);
  const readable = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(titles);
  return `${name} is a zip archive with ${what}: expected ${readable}. Extract it, and name the file that is to be read.`;
}

function namesOf(members: readonly Member[]): string {
  const named = members.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = members.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
