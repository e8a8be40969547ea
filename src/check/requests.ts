import { bearer } from '../http/credentials.ts';
import type { Credential, Header } from '../http/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { Expectation, Listing, Probe } from '../oracle/probe.ts';
import { withAccept } from './header-variants.ts';

interface Common {
  readonly credential?: Credential;
  readonly expects?: readonly Expectation[];
  readonly inputSpace?: Probe['inputSpace'];
  readonly label?: string;
}

const probe = (
  request: {
    operation: string;
    method: string;
    path: string;
    query?: string;
    headers?: readonly Header[];
    body?: string | Uint8Array;
  },
  { credential = bearer('main'), expects = [], inputSpace = 'documented', label = '' }: Common,
): Probe => ({
  request: withAccept({
    operation: request.operation,
    method: request.method,
    path: request.path,
    query: request.query ?? '',
    headers: request.headers ?? [],
    body: request.body ?? null,
    credential,
  }),
  inputSpace,
  expects,
  label:
    credential.charges === null
      ? [label, credential.label].filter((part) => part !== '').join(' and ')
      : label,
});

interface ListOptions extends Common {
  /** A number is meant as one; a string is sent as it stands, with no meaning of its own. */
  readonly limit?: number | string;
  readonly status?: string | { readonly raw: string };
}

/** GET /pets. */
export const listPets = ({ limit, status, ...common }: ListOptions): Probe => {
  const rawStatus = typeof status === 'object' ? status.raw : status;
  const members = [
    ...(limit === undefined
      ? []
      : [`limit=${typeof limit === 'number' ? limit : encodeURIComponent(limit)}`]),
    ...(rawStatus === undefined ? [] : [`status=${encodeURIComponent(rawStatus)}`]),
  ];
  // A query has no order: either parameter may come first.
  const isTurned = typeof limit === 'number' && limit % 2 === 1;
  const listing: Listing = {
    limit:
      limit === undefined
        ? { kind: 'absent' }
        : typeof limit === 'number'
          ? { kind: 'given', value: limit }
          : { kind: 'unspecified' },
    status:
      status === undefined
        ? { kind: 'absent' }
        : typeof status === 'string'
          ? { kind: 'given', value: status }
          : { kind: 'unspecified' },
  };
  const shown = [
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(rawStatus === undefined ? [] : [`status=${rawStatus}`]),
  ];
  const built = probe(
    {
      operation: 'listPets',
      method: 'GET',
      path: '/pets',
      query: (isTurned ? members.toReversed() : members).join('&'),
    },
    { label: shown.join(' and '), ...common },
  );
  return { ...built, listing };
};

const asJson: Header = ['Content-Type', 'application/json'];

interface CreateOptions extends Common {
  /** Without `?`: the operation has no parameters. */
  readonly query?: string;
  readonly mayBeTaken?: true;
}

/** POST /pets with the text or the bytes given. `sent`: the body as a value, where it has one. */
export const createPet = (
  body: string | Uint8Array,
  {
    headers = [asJson],
    query = '',
    sent,
    mayBeTaken,
    ...common
  }: CreateOptions & { readonly headers?: readonly Header[]; readonly sent?: JsonObject } = {},
): Probe => {
  const built = probe(
    { operation: 'createPet', method: 'POST', path: '/pets', query, headers, body },
    common,
  );
  return {
    ...built,
    ...(sent === undefined ? {} : { sent }),
    ...(mayBeTaken === undefined ? {} : { mayBeTaken }),
  };
};

/** POST /pets with a JSON value. */
export const createPetOf = (value: Json, common: CreateOptions = {}): Probe =>
  createPet(stringifyJson(value), { ...common, ...(isJsonObject(value) ? { sent: value } : {}) });

/** GET /pets/{petId}; the id is sent as it stands, percent-encoding included. */
export const getPet = (petId: string, common: Common = {}): Probe =>
  probe({ operation: 'getPet', method: 'GET', path: `/pets/${petId}` }, common);

/** A request that is none of the document's operations. */
export const noOperation = (method: string, path: string): Probe =>
  probe({ operation: `${method} ${path}`, method, path }, { inputSpace: 'no-operation' });

/** GET /store/orders. */
export const listOrders = ({ accept, ...common }: Common & { readonly accept?: string } = {}): Probe => {
  const headers: readonly Header[] = accept === undefined ? [] : [['Accept', accept]];
  return probe({ operation: 'listOrders', method: 'GET', path: '/store/orders', headers }, common);
};
