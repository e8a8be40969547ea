/** Keys, and how requests present them. */
export {
  anonymous,
  bearer,
  bearerAfterSpaces,
  changedEnd,
  changedKeys,
  emptyKey,
  givenHeaders,
  invalidKeys,
  type KeyScheme,
  keyChangedAt,
  keyUnder,
  lowerCaseBearer,
  malformedTokens,
  misplacedKey,
  nearMissKeys,
  otherWrongSchemes,
  plausibleInvalidKeys,
  prefixOfKey,
  randomKey,
  withChangedGiven,
  withoutGiven,
  wrongSchemes,
} from '../http/credentials.ts';
export type { Credential, KeySlot } from '../http/exchange.ts';
export {
  byRequest,
  type KeyPlace,
  keyIn,
  keyMembers,
  keyPlaces,
  placesInOtherSpellings,
} from '../http/key-locations.ts';
