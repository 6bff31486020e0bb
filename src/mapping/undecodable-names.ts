/**
 * Whether something of a record is a column that a mapping names, or lies inside of it; or may be, if
 * some bytes of its own name can't be decoded.
 * @param path where it stands, list indexes as `[]`, with � for each of those bytes
 */
export function mayBeIn(path: string, column: string): boolean {
  const named = column.replace(/\[\d+\]/gu, '[]');
  return [column, named].some((name) => isIn(path, name) || isLike(path, name));
}

function isIn(path: string, column: string): boolean {
  return path === column || path.startsWith(`${column}.`) || path.startsWith(`${column}[`);
}

/** A byte stands for one character of the name, or came in between. A column may lie further inside. */
function isLike(path: string, column: string): boolean {
  if (!path.includes('\ufffd')) return false;
  const parts = path.split('\ufffd').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'));
  return new RegExp(`^${parts.join('.?')}(?:[.[].*)?$`, 'su').test(column);
}
