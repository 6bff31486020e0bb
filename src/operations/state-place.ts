import { isShared, readAddress } from '../runs/state-address.js';

export { isShared, readAddress } from '../runs/state-address.js';

/** A place where runs are kept, as it may be shown: of an address without its password. */
export function shownState(place: string): string {
  return isShared(place) ? readAddress(place).shown : place;
}
