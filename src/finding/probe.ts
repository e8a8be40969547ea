import type { ApiRequest, Exchange } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';

/** The status that a case expects, in addition to the rules of the oracle. */
export interface Expectation {
  /** The requirement that any other status breaches. */
  readonly requirement: string;
  /** Expected statuses. `4xx`: any of the class. */
  readonly statuses: readonly (number | '4xx')[];
  /** Completes "…, because …" in the failure. */
  readonly because: string;
  /** The response must have an Error body, otherwise the requirement is breached, too. */
  readonly error?: true;
  /** Called for another status. Returns true if this response, or an earlier one, makes the expectation invalid. */
  readonly unless?: (response: ParsedResponse) => boolean;
}

/** The query of a list. `unspecified`: a value to which the document gives no meaning. */
export interface Listing {
  readonly limit:
    | { readonly kind: 'absent' | 'unspecified' }
    | { readonly kind: 'given'; readonly value: number };
  readonly status:
    | { readonly kind: 'absent' | 'unspecified' }
    | { readonly kind: 'given'; readonly value: string };
}

/** A request with its meaning: all that rules need to test its response. */
export interface Probe {
  readonly request: ApiRequest;
  /**
   * `documented`: a documented input, so only documented statuses pass. `undocumented`: the document has no status for the input, or the
   * check's expectation has it. Any 4xx passes. `unspecified`: not specified whether the input is accepted. `no-operation`: not an
   * operation of the document, so only a server error is a failure.
   */
  readonly inputSpace: 'documented' | 'undocumented' | 'unspecified' | 'no-operation';
  readonly expects: readonly Expectation[];
  /** The body of a creation, if it is a JSON object. */
  readonly sent?: JsonObject;
  /** An older animal may have the same name. A list with that name does not show that a rejected creation was stored. */
  readonly mayBeTaken?: true;
  /** The query of a list. */
  readonly listing?: Listing;
  /** The path has a guessed id, so 404 passes even if it is not documented. */
  readonly guessed?: true;
  /** The path has a value that the document forbids. A router may find no operation for it, so its own 404 passes. */
  readonly hasInvalidPath?: true;
  /** Statuses that are about the state of the server, so they pass even if they are not documented. */
  readonly stateStatuses?: readonly number[];
  /** Sent during the wait after a 429. A ban is possible. The document specifies neither its status nor its length. */
  readonly duringBackoff?: true;
  /** The check only observes what happens. Only a server that is gone afterwards is a failure. */
  readonly observedOnly?: true;
  /** What is unusual about the request, for failures: "limit=0", "categoryId: a fraction". */
  readonly label: string;
  /** The label is about the path, which is shown before it. */
  readonly labelsPath?: true;
}

/** The subject of a failure, if it is not just its exchange. */
export type About =
  /** A request. `createdBy`: the creation of the animal that it requests. */
  | { readonly kind: 'request'; readonly probe: Probe; readonly createdBy?: Exchange }
  /** A request whose label says more than its body. */
  | { readonly kind: 'probe'; readonly probe: Probe }
  /** The creation of the animal that is missing. */
  | { readonly kind: 'creation'; readonly exchange: Exchange };

/** Tells whether nothing is unusual about the request, so that its label is empty. */
export const isOrdinary = ({ label }: Pick<Probe, 'label'>): boolean => label.length === 0;

/** Tells whether the request uses the second key, which may have a separate store with separate ids. */
export const isOfAnotherKey = ({ request }: Probe): boolean => request.credential.chargedTo === 'rate-limit';
