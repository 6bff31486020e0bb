import { OptionError } from '../model/errors.js';

/** A database as it is addressed. */
export interface DatabaseAddress {
  /** What the driver connects to, the password in it. */
  readonly url: string;
  /** What may be shown of it. */
  readonly shown: string;
  /** Whether it was said that the database may lose what it has committed. */
  readonly mayLose: boolean;
}

/**
 * Whether runs are kept in a database that processes share, going by where they are. What looks like
 * an address is never a folder: its password would be shown.
 */
export function isShared(place: string): boolean {
  return /^(postgres(ql)?:|[a-z][a-z\d+.-]+:\/\/)/i.test(place);
}

/** The parameter of an address that says so. */
const MAY_LOSE = 'may_lose_commits';

/**
 * Reads `postgres://user:password@host:port/database`.
 * @throws OptionError that doesn't repeat it, as the password may stand anywhere in it
 */
export function readAddress(state: string): DatabaseAddress {
  const url = URL.canParse(state) ? new URL(state) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new OptionError(
      'The address of the state is none that can be read; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE. It is not shown here, as it may hold the password. Write signs such as @ and / in the password as %40 and %2F.',
    );
  }
  const mayLose = url.searchParams.get(MAY_LOSE) === 'true';
  url.searchParams.delete(MAY_LOSE);
  const { username, host, pathname } = url;
  return {
    url: url.href,
    shown: `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`,
    mayLose,
  };
}
