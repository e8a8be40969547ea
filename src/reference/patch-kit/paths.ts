import { isMalformed } from '../malformed-path.ts';
import type { Call } from '../parts.ts';

/** The petId in the path of getPet; empty: the request is for another operation. */
export const petIdOf = ({ route }: Call): string => (route.operation === 'getPet' ? route.petId : '');

/** The petId as an int64; null: it is not one. */
export const int64IdOf = (call: Call): bigint | null => call.parts.readPetId(petIdOf(call));

/** A path that cannot be decoded. */
export const isMalformedPath = ({ url }: Call): boolean => isMalformed(url.pathname);
