import { isShared, readAddress } from '../runs/postgres/database/address.js';

export { isShared, readAddress } from '../runs/postgres/database/address.js';

/** A place where runs are kept, as it may be shown: of an address without its password. */
export function shownState(place: string): string {
  return isShared(place) ? readAddress(place).shown : place;
}
