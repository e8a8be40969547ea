/** What is wrong with an OpenAPI document. The file, or the place in it, comes before. */
export const documentProblems = {
  unreadable: (code: string) => `cannot be read (${code})`,
  notDocument: 'not an OpenAPI document',
  notOpenApi: 'not an OpenAPI 3.0 or 3.1 document',
  swagger: (version: unknown) => `swagger is "${version}". Convert it to OpenAPI first`,
  noVersion: 'openapi is missing (try: openapi: 3.1.0)',
  versionNotText: 'openapi must be text (try: "3.1.0")',
  otherVersion: (version: string) => `openapi is "${version}" (supported: 3.0.x and 3.1.x)`,
  noPaths: 'it has no paths, so there is nothing to test',
  tooDeep: 'nested too deeply, or a $ref that leads back to itself',
  severalDocuments: ', expected one',
  otherServer: (url: string) =>
    `the document has another server for it: ${url}. Test it there with --base-url`,
  relativePath: 'the path does not begin with /',
  unexpectedInPath: (character: string) =>
    `unexpected ${JSON.stringify(character)} in the path. Percent-encode it, or describe a query as parameters`,
  invalidName: (name: string, location: string) => `${JSON.stringify(name)} is not a valid ${location} name`,
  pathParameter: (name: string) => `the path parameter ${name} is not described`,
} as const;

/** Parts of an operation. */
export const partNames = {
  parameter: (name: string) => `parameter ${name}`,
  requestBody: 'request body',
  response: (status: string) => `response ${status}`,
  header: (name: string) => `header ${name}`,
} as const;
