/** What small servers of other APIs, and their documents, have in common. */

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a body is. Null: it is none. */
export const objectIn = (body: string): Members | null => {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** A response without a body. */
export const status = (code: number): Response => new Response(null, { status: code });

/** JSON as the body of a request or of a response. */
export const content = (schema: object) => ({ content: { 'application/json': { schema } } });

/** A documented response with JSON. */
export const json = (schema: object) => ({ description: 'As described.', ...content(schema) });

export const objectOf = (properties: Members, ...required: readonly string[]) => ({
  type: 'object',
  required,
  properties,
});
