/** Tells whether a path has percent-encoding that cannot be decoded. */
export function isMalformed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}
