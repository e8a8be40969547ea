/** Keys, and the ways in which requests present them. */
export {
  bearer,
  invalidKeys,
  keyChangedAt,
  lowerCaseBearer,
  malformedTokens,
  nearMissKeys,
  noCredential,
  otherWrongSchemes,
  plausibleInvalidKeys,
  randomKey,
  wrongSchemes,
} from '../http/credentials.ts';
export type { Credential, KeySlot } from '../http/exchange.ts';
export {
  byRequest,
  type KeyPlace,
  keyIn,
  keyPlaces,
  placesInOtherSpellings,
} from '../http/key-locations.ts';
