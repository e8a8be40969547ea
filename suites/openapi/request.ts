import type { Credential } from '../../src/check/credentials.ts';
import type { Parameter } from '../../src/check/document.ts';
import type { Expectation, Header, Json, Probe } from '../../src/check/index.ts';
import { memoized } from '../../src/check/memoized.ts';
import { serializeParameter, type WrittenBody, writeBody } from '../../src/check/schemas.ts';
import type { OperationUnderTest } from './operations.ts';

/** The ids in the path of a request: made up, of an existing resource, or of one if it can be found. */
export type PathIdSource = 'made up' | 'existing' | 'existing if possible';

/** A request to an operation, as values and texts: data that shrinks. */
export interface GeneratedRequest {
  readonly label: string;
  readonly idSource: PathIdSource;
  /** By `keyOf`; absent parameters are not sent. */
  readonly values: Readonly<Record<string, Json>>;
  /** Parameters as sent, instead of a value. */
  readonly texts: Readonly<Record<string, string>>;
  /** Null if none is sent. */
  readonly body: { readonly json: Json } | { readonly text: string } | null;
  /** The document names the value that differs from this ordinary request, so a server that accepts the one accepts the other. */
  readonly twin?: GeneratedRequest;
  /** The document names a number of a body, and this one is next to it: a rule of the business, such as a balance, refuses both. */
  readonly near?: GeneratedRequest;
  /** The place in the body that has a value which the document names, and that value. Undefined: the member is left out. */
  readonly steps?: readonly string[];
  readonly named?: Json | undefined;
  /** The value is one of many that the document permits: a text that is not listed, or a list. */
  readonly isFree?: true;
  /** Requests with other texts of the same form: a server that refuses only this text knows more of it than the document. */
  readonly alike?: readonly GeneratedRequest[];
  /** Requests with one of the values each, for a server that refuses them together. */
  readonly parts?: readonly GeneratedRequest[];
  /** Requests that the server may accept only after, or with, another listed value: the state or the kind of a resource. */
  readonly others?: readonly { readonly before: GeneratedRequest; readonly request: GeneratedRequest }[];
  /** The rule of the document that the request breaks. */
  readonly violation?: BrokenRule;
}

/** A rule that an invalid request breaks. */
export interface BrokenRule {
  /** Keyword and kind of value, without the place. Null: each place is read in its own way. */
  readonly kind: string | null;
  /** A server that reads values leniently accepts it: a number in a text, a list of one, an additional member that is ignored. */
  readonly isLenient: boolean;
  /**
   * What refuses it: a parser (`syntax`: no JSON, no body), one that knows types (`form`), a server that looks at members (`presence`), or a
   * validator (`value`).
   */
  readonly level: 'syntax' | 'form' | 'presence' | 'value';
  readonly in: 'body' | Parameter['in'];
  /** It is a bound of this parameter, which selects a page. */
  readonly pagedBy?: string;
}

export const keyOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place} ${name}`;

/** What a request means. */
export interface Meaning {
  /** Default: a request that breaks a rule is undocumented. */
  readonly inputSpace?: Probe['inputSpace'];
  readonly expects?: readonly Expectation[];
  readonly credential?: Credential;
  /** Values found for path parameters, by name. */
  readonly found: Readonly<Record<string, Json>> | null;
}

/** The request as sent, with its meaning. */
export const toProbe = (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  meaning: Meaning,
): Probe => {
  const { operation, credential } = exercised;
  const { inputSpace = sending.violation === undefined ? 'documented' : 'undocumented' } = meaning;
  const written = (place: Parameter['in']): readonly (readonly [name: string, text: string])[] =>
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) => {
        const text = textOf(parameter, sending, meaning.found);
        return text === null ? [] : [[parameter.name, text] as const];
      });
  const body = bodyOf(exercised, sending);
  const cookies = written('cookie').map(([, text]) => text);
  const headers: readonly Header[] = [
    ['Accept', acceptedBy(exercised)],
    ...written('header'),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(body === null ? [] : [['Content-Type', body.mediaType] as const]),
  ];
  const isGuess = meaning.found === null && operation.path.includes('{');
  return {
    request: {
      operation: operation.id,
      method: operation.method,
      path: written('path').reduce(
        (path, [name, text]) => path.replaceAll(`{${name}}`, () => text),
        operation.path,
      ),
      ...(operation.basePath === null ? {} : { basePath: operation.basePath }),
      query: written('query')
        .map(([, text]) => text)
        .filter((text) => text !== '')
        .join('&'),
      headers,
      body: body?.text ?? null,
      credential: meaning.credential ?? credential,
    },
    inputSpace: exercised.authentic ? inputSpace : 'undocumented',
    expects: meaning.expects ?? [],
    label: labelOf(sending, meaning.credential),
    ...(isGuess ? { guessed: true } : {}),
    ...(sending.violation?.in === 'path' ? { hasInvalidPath: true } : {}),
    ...(exercised.stateStatuses.length === 0 ? {} : { stateStatuses: exercised.stateStatuses }),
  };
};

const labelOf = ({ label }: GeneratedRequest, credential: Credential | undefined): string =>
  [label, credential?.label ?? ''].filter((part) => part !== '').join(' and ');

const textOf = (
  parameter: Parameter,
  { values, texts }: GeneratedRequest,
  found: Readonly<Record<string, Json>> | null,
): string | null => {
  const text = texts[keyOf(parameter)];
  if (text !== undefined) return text;
  const value = (parameter.in === 'path' ? found?.[parameter.name] : undefined) ?? values[keyOf(parameter)];
  return value === undefined ? null : serializeParameter(parameter, value);
};

const bodyOf = (
  { document, operation }: OperationUnderTest,
  { body }: GeneratedRequest,
): WrittenBody | null => {
  const { requestBody } = operation;
  if (body === null || requestBody === null) return null;
  return 'text' in body
    ? { text: body.text, mediaType: requestBody.mediaType }
    : writeBody(requestBody, body.json, document.root);
};

/** The media types that the document lists for the operation, of successful responses first. */
const acceptedBy = memoized(({ operation }: OperationUnderTest): string => {
  const [successful, others] = [true, false].map((isSuccess) =>
    operation.responses
      .filter(({ status }) => status.startsWith('2') === isSuccess)
      .flatMap(({ schemas }) => Object.keys(schemas)),
  );
  const types = [...new Set([...(successful ?? []), ...(others ?? [])])];
  return types.length === 0 ? '*/*' : types.join(', ');
});
