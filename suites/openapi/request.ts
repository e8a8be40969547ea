import type { Credential } from '../../src/check/credentials.ts';
import type { Parameter } from '../../src/check/document.ts';
import type { Expectation, Header, Json, Probe } from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { memoized } from '../../src/check/memoized.ts';
import { serializeParameter } from '../../src/check/schemas.ts';
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
}

export const keyOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place} ${name}`;

interface Meaning {
  readonly inputSpace: Probe['inputSpace'];
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
  const written = (place: Parameter['in']): readonly (readonly [name: string, text: string])[] =>
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) => {
        const text = textOf(parameter, sending, meaning.found);
        return text === null ? [] : [[parameter.name, text] as const];
      });
  const cookies = written('cookie').map(([, text]) => text);
  const headers: readonly Header[] = [
    ['Accept', acceptedBy(exercised)],
    ...written('header'),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(sending.body === null
      ? []
      : [['Content-Type', operation.requestBody?.mediaType ?? 'application/json'] as const]),
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
      body: bodyOf(sending),
      credential: meaning.credential ?? credential,
    },
    inputSpace: exercised.authentic ? meaning.inputSpace : 'undocumented',
    expects: meaning.expects ?? [],
    label: labelOf(sending, meaning.credential),
    ...(isGuess ? { guessed: true } : {}),
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

const bodyOf = ({ body }: GeneratedRequest): string | null => {
  if (body === null) return null;
  return 'text' in body ? body.text : stringifyJson(body.json);
};

/** The media types that the document lists for the operation: a server may reject JSON alone if an error has another type. */
const acceptedBy = memoized(({ operation }: OperationUnderTest): string => {
  const types = operation.responses.flatMap(({ schemas }) => Object.keys(schemas));
  return [...new Set(['application/json', ...types])].join(', ');
});
