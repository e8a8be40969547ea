/** Keys, and the ways in which requests present them. */
export {
  bearer,
  deceptiveKeys,
  invalidKeys,
  keyChangedAt,
  lowerCaseBearer,
  misplacedKeys,
  nearMisses,
  noCredential,
  oddlyPlacedKeys,
  oddTokens,
  randomKey,
} from '../http/credentials.ts';
export type { Credential, KeySlot } from '../http/exchange.ts';
export {
  byRequest,
  type KeyPlace,
  keyIn,
  keyPlaces,
  placesInOtherSpellings,
} from '../http/key-locations.ts';
