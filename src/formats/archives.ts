/** Zip archives: workbooks, or archives of exports. */
import { type Member, memberInputs, type OpenedZip } from '../input/archive.js';
import type { Decompressed } from '../input/decompress.js';
import type { RawInput } from '../input/raw-input.js';
import { SourceError } from '../model/errors.js';
import type { BinaryFile, BinaryFileFormat } from './format.js';
import { BINARY_FORMATS, FILE_FORMATS } from './formats.js';

/** Content of a zip archive: a single file of a binary format, or several inputs. */
export type ZipContent =
  | { readonly kind: 'binary'; readonly format: BinaryFileFormat; readonly file: BinaryFile }
  | {
      readonly kind: 'archive';
      readonly members: readonly RawInput[];
      readonly notices: readonly string[];
    };

/** Names the kind of a zip file by its extension, for one whose content can't be listed. */
export function zipLabel(name: string): string {
  const format = BINARY_FORMATS.find(
    ({ binary, extensions }) =>
      binary.isZip !== undefined &&
      extensions.some((one) => name.toLowerCase().endsWith(`.${one}`)),
  );
  return format?.binary.label ?? 'a zip archive';
}

/** @throws SourceError, BrokenInput */
export function recogniseZip(zip: OpenedZip, raw: RawInput, inside: Decompressed): ZipContent {
  const { members } = zip;
  const names = members.map(({ name }) => name);
  refuseDocuments(raw.name, names);
  const file = { name: raw.name, ...zip };
  const format = BINARY_FORMATS.find(({ binary }) => binary.isZip?.(names));
  const { wantedMember = null } = raw;
  if (format !== undefined && wantedMember === null) return { kind: 'binary', format, file };
  refuseNesting(raw, inside);
  const chosen =
    wantedMember === null
      ? chooseMembers(raw.name, members)
      : [findMember(raw.name, members, wantedMember)];
  const notices = wantedMember === null ? noticesOn(raw.name, members, chosen) : [];
  return { kind: 'archive', members: memberInputs(raw, zip, chosen), notices };
}

/** Document format based on zip, recognised by one of its members. */
interface OtherDocument {
  readonly part: RegExp;
  readonly what: string;
}

const OTHER_DOCUMENTS: readonly OtherDocument[] = [
  { part: /^xl\/workbook\.bin$/i, what: 'a binary Excel workbook (.xlsb)' },
  { part: /^word\/document\.xml$/i, what: 'a Word document' },
  { part: /^ppt\/presentation\.xml$/i, what: 'a presentation' },
  {
    part: /^(mimetype|META-INF\/manifest\.xml)$/,
    what: 'an OpenDocument file (.ods, .odt)',
  },
  { part: /^Index\/.*\.iwa$|^Index\.zip$/i, what: 'a Numbers, Pages or Keynote document' },
];

function refuseDocuments(name: string, members: readonly string[]): void {
  const other = OTHER_DOCUMENTS.find(({ part }) => members.some((member) => part.test(member)));
  if (other === undefined) return;
  throw new SourceError(
    `${name} is ${other.what}, which can't be read: save the table in it as .xlsx or as CSV.`,
  );
}

function refuseNesting({ name, isMember }: RawInput, { compression }: Decompressed): void {
  if (!isMember && compression === null) return;
  throw new SourceError(`${name} is an archive inside an archive: extract the outer one.`);
}

/** Extension of text in any format. */
const ANY_TEXT = 'txt';
/** Files that operating systems add. */
const SYSTEM_FILES = /(^|\/)(__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)/i;
/** Readmes, licences, manifests and checksums that accompany exports. */
const ACCOMPANYING_FILES =
  /(^|\/)(?:read[ _-]?me|licen[cs]e|copying|notice|change(?:s|log)|manifest|metadata|datapackage|checksums?|(?:md5|sha\d+)sums?)(?:\.[^/]*)?$/i;
const MAX_NAMED = 5;

/**
 * Selects the members that are exports, by name; a single file is read whatever its name.
 * @throws SourceError if there are none
 */
function chooseMembers(name: string, all: readonly Member[]): readonly Member[] {
  const members = all.filter(isRelevant);
  if (members.length === 1) return members;
  const extensions = [ANY_TEXT, ...FILE_FORMATS.flatMap((format) => format.extensions)];
  const exportName = new RegExp(`\\.(${extensions.join('|')})(\\.gz)?$`, 'i');
  const named = members.filter((member) => exportName.test(member.name));
  const exports = named.filter((member) => !ACCOMPANYING_FILES.test(member.name));
  const selected = exports.length === 0 ? named : exports;
  if (selected.length === 0) throw new SourceError(noExportMessage(name, members));
  return selected;
}

function isRelevant({ name }: Member): boolean {
  return !SYSTEM_FILES.test(name);
}

function noticesOn(
  name: string,
  all: readonly Member[],
  chosen: readonly Member[],
): readonly string[] {
  const others = all.filter((member) => isRelevant(member) && !chosen.includes(member));
  if (others.length === 0) return [];
  return [`${name}: ${memberNames(others)} ignored, as their names aren't those of exports.`];
}

function findMember(archive: string, all: readonly Member[], wanted: string): Member {
  const member = all.find(({ name }) => name === wanted);
  if (member !== undefined) return member;
  throw new SourceError(
    `${archive} has no file ${wanted}; it contains ${memberNames(all)}: check the name.`,
  );
}

function noExportMessage(name: string, members: readonly Member[]): string {
  const what = members.length === 0 ? 'no files' : `no export, only ${memberNames(members)}`;
  const titles = FILE_FORMATS.map(({ title }) => title);
  const readable = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(titles);
  return `${name} is a zip archive with ${what}: expected ${readable}. Extract it and name the file to read.`;
}

function memberNames(members: readonly Member[]): string {
  const named = members.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = members.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
