/** No value meets the schema, or none was found within bounds. */
export class UnsatisfiableSchema extends Error {
  override readonly name = 'UnsatisfiableSchema';
}

/** The schema uses a keyword in a way that generation cannot honour; the message names it and its JSON pointer. */
export class UnsupportedKeyword extends Error {
  override readonly name = 'UnsupportedKeyword';
  readonly keyword: string;
  readonly pointer: string;
  constructor(keyword: string, pointer: string, reason: string) {
    super(`${keyword} at ${pointer}: ${reason}`);
    this.keyword = keyword;
    this.pointer = pointer;
  }
}
