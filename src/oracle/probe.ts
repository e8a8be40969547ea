import type { ApiRequest } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';

/** What a case expects of the response, beyond what the oracle asks of every exchange. */
export interface Expectation {
  /** The requirement that is breached by any other status. */
  readonly requirement: string;
  /** Statuses that meet it; `4xx` stands for the class. */
  readonly statuses: readonly (number | '4xx')[];
  /** Completes "…, because …" in the failure. */
  readonly because: string;
  /** The response is to carry an Error: without one the requirement is breached as well. */
  readonly error?: true;
  /** Asked when another status came: what makes the expectation void by then, in the response, or as others have come meanwhile. */
  readonly unless?: (response: ParsedResponse) => boolean;
}

/** The query of a listing, as it is meant: `unspecified` where the document gives it no meaning. */
export interface Listing {
  readonly limit:
    | { readonly kind: 'absent' | 'unspecified' }
    | { readonly kind: 'given'; readonly value: number };
  readonly status:
    | { readonly kind: 'absent' | 'unspecified' }
    | { readonly kind: 'given'; readonly value: string };
}

/** A request with what is meant by it: all that the oracle needs to judge its response. */
export interface Probe {
  readonly request: ApiRequest;
  /**
   * `documented`: within the documented input space, so only documented statuses pass. `undocumented`: the document gives no status for
   * it (or the check's own expectation does), any 4xx passes. `unspecified`: the document leaves open whether it is accepted.
   * `no-operation`: it is for no operation of the document, so nothing is said of the response but that the server does not fail.
   */
  readonly inputSpace: 'documented' | 'undocumented' | 'unspecified' | 'no-operation';
  readonly expects: readonly Expectation[];
  /** What a creation asks for, where the body is a JSON object. */
  readonly sent?: JsonObject;
  /** An animal from before the run may have the name of this creation: a refusal tells nothing about animals of that name. */
  readonly mayBeTaken?: true;
  /** What a listing asks for. */
  readonly listing?: Listing;
  /** Its path names something that nobody said exists: 404 is as good a response as any, whatever the document gives. */
  readonly guessed?: true;
  /** Sent in the wait of a 429: it may meet a ban, of which the document shows neither the response nor the length. */
  readonly duringBackoff?: true;
  /** What is odd about the request, for the failure's sentence: "limit=0", "categoryId: a fraction". */
  readonly label: string;
}

/** Another key than that of the run may have a store of its own, with ids of its own. */
export const isOfAnotherKey = ({ request }: Probe): boolean => request.credential.chargedTo === 'rate-limit';
