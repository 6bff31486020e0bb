import { OptionError } from '../model/errors.js';

export interface DatabaseAddress {
  /** URL for the driver, with the password. */
  readonly url: string;
  /** The address without the password and other secrets, for messages and commands. */
  readonly shown: string;
  /** Whether the user accepts that the database may lose commits. */
  readonly mayLose: boolean;
}

/**
 * Returns whether a state location is a shared database. Anything that looks like a URL is taken
 * for one, never for a folder, whose name would be shown with the password.
 */
export function isShared(place: string): boolean {
  return /^(postgres(ql)?:|[a-z][a-z\d+.-]+:\/\/)/i.test(place);
}

/** Query parameter for {@link DatabaseAddress.mayLose}. */
const MAY_LOSE_PARAMETER = 'may_lose_commits';

/** Query parameters that a printed command needs to reach the same database; none is a secret. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set([
  MAY_LOSE_PARAMETER,
  'sslmode',
  'sslrootcert',
]);

/**
 * Parses `postgres://user:password@host:port/database`.
 * @throws OptionError without the address, which may hold the password
 */
export function readAddress(state: string): DatabaseAddress {
  const url = URL.canParse(state) ? new URL(state) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new OptionError(
      "The address of the state can't be read; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE. It isn't shown here because it may hold the password. Write characters like @ and / in the password as %40 and %2F.",
    );
  }
  const mayLose = url.searchParams.get(MAY_LOSE_PARAMETER) === 'true';
  const options = [...url.searchParams].filter(([name]) => SHOWN_PARAMETERS.has(name));
  const query = options.length === 0 ? '' : `?${new URLSearchParams(options)}`;
  url.searchParams.delete(MAY_LOSE_PARAMETER);
  checkSslMode(url.searchParams);
  // Without it, the driver warns, and verifies certificates in all modes.
  url.searchParams.set('uselibpqcompat', 'true');
  const { username, host, pathname } = url;
  return {
    url: url.href,
    shown: `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}${query}`,
    mayLose,
  };
}

/** Modes of libpq that the driver has, too; `prefer` and `allow` would need a second attempt. */
const SSL_MODES: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full'];

/** @throws OptionError */
function checkSslMode(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode');
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    throw new OptionError(
      'sslmode=verify-ca in the address of the state needs sslrootcert=FILE, the certificate of the authority.',
    );
  }
  if (mode === null || SSL_MODES.includes(mode)) return;
  throw new OptionError(
    `sslmode in the address of the state is ${JSON.stringify(mode)}; expected ${SSL_MODES.join(', ')}. require encrypts, verify-full also checks the server's certificate.`,
  );
}
