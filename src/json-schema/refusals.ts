/** What is wrong with a reference in a document. */
export const referenceProblems = {
  outside: (reference: string) => `cannot follow $ref "${reference}"`,
  nowhere: (reference: string) => `$ref "${reference}" leads nowhere`,
  circle: (reference: string) => `$ref "${reference}" leads back to itself`,
  noFile: (reference: string) => `$ref "${reference}" leads to no file`,
  dynamic: (reference: string) => `$dynamicRef "${reference}" has several targets, which is not supported`,
  inData: 'enum or const has a member $ref, which is not supported',
  noSchema: (reference: unknown) => `${reference} leads to no schema`,
  ofItself: 'the schema includes itself',
} as const;

/** The kinds of values that keywords take. */
export const shapeNames = {
  anything: 'any value',
  list: 'a list',
  schema: 'a schema',
  schemas: 'a list of schemas',
  schemasByName: 'schemas by name',
} as const;

/** Why a schema is not supported. */
export const schemaProblems = {
  place: (keyword: string, pointer: string, problem: string) => `${keyword} at ${pointer}: ${problem}`,
  notSchema: (value: unknown) => `${JSON.stringify(value)} is not a schema`,
  dynamicRef: '$dynamicRef is not supported',
  notType: (type: string) => `"${type}" is not a type of JSON Schema`,
  notNumber: (keyword: string) => `${keyword} must be a number`,
  unknownKeyword: 'values cannot be generated for this keyword',
  otherShape: (shape: string) => `its value is not ${shape}`,
  severalFormats: (formats: readonly string[]) => `both ${formats.join(' and ')} at once`,
  notStyle: (style: string) => `${style} is not a style of OpenAPI`,
  nestedInStyle: (style: string) => `${style} cannot write arrays or objects within others`,
} as const;

/** Why a pattern cannot be read, or a text not tested with it. */
export const patternProblems = {
  longText: (pattern: RegExp, longest: number) =>
    `${pattern} can be tested only on texts of at most ${longest} characters`,
  untestable: (pattern: RegExp, why: string) => `${pattern} cannot be tested: ${why}`,
  manySteps: (steps: number) => `a text takes more than ${steps} steps`,
  manyStates: (states: number) => `more than ${states} states`,
  unreadable: (rest: string) => `cannot read ${rest}`,
  openGroup: 'a group has no end',
  backReference: 'a back reference',
  needsUnicode: (source: string) => `${source} without the Unicode flag`,
} as const;

/** Why a schema has no value that can be sent. */
export const noValue = {
  alternatives: (why: string) => `no value meets the schema: ${why}`,
  falseSchema: 'it is false',
  noType: 'no type is allowed',
  endless: 'the schema contains itself without end',
  tooLarge: (parts: number) => `a value would have more than ${parts} parts`,
  listed: 'none of the listed values meets the other rules',
  array: (min: number, max: number) => `no array of ${min} to ${max} items`,
  longArray: (min: number) => `no array of ${min} items can be sent`,
  containedItem: 'no item can match contains',
  containedItems: (min: number, max: number) => `no array contains at least ${min} and at most ${max}`,
  object: (min: number, max: number) => `no object of ${min} to ${max} properties`,
  fullObject: (min: number) => `no object has ${min} properties`,
  requiredProperties: (max: number) => `more required properties than maxProperties: ${max}`,
  property: (name: string) => `no value for the required property ${name}`,
  smallProperty: (name: string) => `no small value for the required property ${name}`,
  string: (min: number, max: number) => `no string of ${min} to ${max} characters`,
  longString: (min: number) => `no string of ${min} characters can be sent`,
  longMatch: (pattern: string) => `strings that match ${pattern} are too long to be sent`,
  match: 'no string matches',
  character: (set: string) => `no character is ${set}`,
  multiple: (step: bigint, min: bigint, max: bigint) => `no multiple of ${step} from ${min} to ${max}`,
  fractionOfFormat: 'an integer format has no fraction',
  number: (min: number, max: number) => `no number from ${min} to ${max}`,
  fractionOfMultiples: 'every multiple is an integer',
  multipleInBounds: 'no multiple within the bounds',
  generated: (tries: number, wanted: string) => `none of ${tries} generated values is ${wanted}`,
} as const;

/** What generated values must be. */
export const wantedValues = {
  array: (min: number, max: number, isUnique: boolean) =>
    `an array of ${min} to ${max} ${isUnique ? 'different ' : ''}items`,
  object: (min: number, max: number) => `an object of ${min} to ${max} properties`,
  string: (min: number, max: number, patterns: readonly string[], formats: readonly string[]) =>
    [
      `a string of ${min} to ${max} characters`,
      ...patterns.map((pattern) => `matching ${pattern}`),
      ...formats.map((format) => `of format ${format}`),
    ].join(' '),
  fraction: (min: number, max: number) => `a fraction from ${min} to ${max}`,
  multiple: 'a fraction that is a multiple',
  accepted: 'what the whole schema accepts',
  invalid: 'invalid by one rule alone',
  body: (form: string) => `writable as a body of form ${form}`,
  writable: (style: string, location: string) => `writable as ${style} in the ${location}`,
} as const;
