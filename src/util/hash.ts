/** Returns the FNV-1a hash (32 bits) of a text. It is the same in every run. */
export const hashOf = (text: string, seed = 0): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
};
