/** What cases share: known categories and animals, made on first use. */
export interface Fixtures {
  readonly seed: number;
}
