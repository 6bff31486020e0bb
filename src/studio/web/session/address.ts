/** The page's address: its fragment holds the token, the screen and what the screen shows. */
import { useEffect, useState } from 'preact/hooks';

/** Access token from the address that the command prints. A fragment is never sent. */
export function token(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}

/**
 * Link to a screen.
 * @param shown for example `{ outcome: 'invalid' }`, read with {@link useAddress}
 */
export function screenAddress(
  screen: string,
  shown: Readonly<Record<string, string>> = {},
): string {
  return `#${new URLSearchParams({ token: token(), screen, ...shown })}`;
}

/** Follows the address, so that links and the browser's back button work. */
export function useAddress(): URLSearchParams {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return new URLSearchParams(hash.slice(1));
}
