import type { Expectation, Probe } from '../finding/probe.ts';
import { anonymous, bearer } from '../http/credentials.ts';
import type { Credential, Framing, Header } from '../http/exchange.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { withVariant } from './header-variants.ts';

export type { Expectation, Framing, Header, Probe };

/** Returns an expectation that has no more to it than its statuses. */
export const expecting = (
  requirement: string,
  statuses: Expectation['statuses'],
  because: string,
): Expectation => ({ requirement, statuses, because });

/** Options of every request. */
export interface RequestOptions {
  /** `none`: without an API key. Default: the valid key. */
  readonly key?: 'valid' | 'none';
  /** Another way to present a key. Default: as `key` says. */
  readonly credential?: Credential;
  /** Statuses with which a requirement passes; it fails with every other one. `4xx`: any status from 400 to 499. */
  readonly expects?: readonly Expectation[];
  /** Whether the document allows the request. Default: `documented`. */
  readonly inputSpace?: Probe['inputSpace'];
  /** Completes the request in messages: `POST /pets with a long name`. */
  readonly label?: string;
}

const credentialOf = ({ key, credential }: RequestOptions): Credential =>
  credential ?? (key === 'none' ? anonymous : bearer('main'));

const probe = (
  request: Pick<Probe['request'], 'operation' | 'method' | 'path'> & Partial<Probe['request']>,
  options: RequestOptions,
): Probe => {
  const { expects = [], inputSpace = 'documented', label = '' } = options;
  const credential = credentialOf(options);
  return {
    request: withVariant({ query: '', headers: [], body: null, ...request, credential }),
    inputSpace,
    expects,
    label:
      credential.chargedTo === null
        ? [label, credential.label].filter((part) => part !== '').join(' and ')
        : label,
  };
};

interface ListOptions extends RequestOptions {
  /** A number is a valid limit. A string is sent as it is, as an invalid one. */
  readonly limit?: number | string;
  readonly status?: string | { readonly raw: string };
}

/** A parameter of a list request, with its value if the document gives it a meaning. */
const listParameter = <Value extends number | string>(value: unknown, type: 'number' | 'string') =>
  value === undefined
    ? ({ kind: 'absent' } as const)
    : typeof value === type
      ? ({ kind: 'given', value: value as Value } as const)
      : ({ kind: 'unspecified' } as const);

/** GET /pets. */
export const listPets = ({ limit, status, ...options }: ListOptions = {}): Probe => {
  const rawStatus = typeof status === 'object' ? status.raw : status;
  const members = [
    ...(limit === undefined ? [] : [['limit', `${limit}`] as const]),
    ...(rawStatus === undefined ? [] : [['status', rawStatus] as const]),
  ];
  const query = members.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // The order of parameters has no meaning, so both orders are sent.
  const isReversed = typeof limit === 'number' && limit % 2 === 1;
  const built = probe(
    {
      operation: 'listPets',
      method: 'GET',
      path: '/pets',
      query: (isReversed ? query.toReversed() : query).join('&'),
    },
    { label: members.map((member) => member.join('=')).join(' and '), ...options },
  );
  return {
    ...built,
    listing: { limit: listParameter(limit, 'number'), status: listParameter(status, 'string') },
  };
};

interface CreateOptions extends RequestOptions {
  /** Without `?`: the operation has no parameters. */
  readonly query?: string;
  /** Another animal may already have the name. */
  readonly mayBeTaken?: true;
}

/** POST /pets with a body of text or bytes. `sent`: the body as a JSON object, if it is one. */
export const createPetWithBody = (
  body: string | Uint8Array,
  {
    headers = [['Content-Type', 'application/json']],
    query = '',
    sent,
    mayBeTaken,
    ...options
  }: CreateOptions & { readonly headers?: readonly Header[]; readonly sent?: JsonObject } = {},
): Probe => ({
  ...probe({ operation: 'createPet', method: 'POST', path: '/pets', query, headers, body }, options),
  ...(sent === undefined ? {} : { sent }),
  ...(mayBeTaken === undefined ? {} : { mayBeTaken }),
});

/** POST /pets with a JSON value. Each 201 counts towards `--max-creates`. */
export const createPet = (pet: Json, options: CreateOptions = {}): Probe => {
  // Integers of responses are bigints, so integers of the request must be bigints to be compared.
  const sent = toJson(pet);
  return createPetWithBody(stringifyJson(pet), { ...options, ...(isJsonObject(sent) ? { sent } : {}) });
};

/** GET /pets/{petId}. Text is sent as it is, percent-encoding included. */
export const getPet = (petId: bigint | number | string, options: RequestOptions = {}): Probe =>
  probe({ operation: 'getPet', method: 'GET', path: `/pets/${petId}` }, options);

/** GET /store/orders. */
export const listOrders = ({
  accept,
  ...options
}: RequestOptions & { readonly accept?: string } = {}): Probe => {
  const headers: readonly Header[] = accept === undefined ? [] : [['Accept', accept]];
  return probe({ operation: 'listOrders', method: 'GET', path: '/store/orders', headers }, options);
};

/** A request that is not an operation of the document. */
export const undocumentedRequest = (method: string, path: string): Probe =>
  probe({ operation: `${method} ${path}`, method, path }, { inputSpace: 'no-operation' });
