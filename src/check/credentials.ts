/** Keys, and how requests present them. */
export {
  anonymous,
  bearer,
  bearerAfterSpaces,
  changedKeys,
  invalidKeys,
  type KeyScheme,
  keyChangedAt,
  keyUnder,
  lowerCaseBearer,
  malformedTokens,
  nearMissKeys,
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
  keyMembers,
  keyPlaces,
  placesInOtherSpellings,
} from '../http/key-locations.ts';
