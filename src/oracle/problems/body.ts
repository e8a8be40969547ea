import type { UnreadableReason } from '../../http/parsed-response.ts';

/** A body that is not JSON: excerpts, and the place of the syntax error. */
export interface BrokenBody {
  readonly why: UnreadableReason;
  /** Counted from 1; null: not known. */
  readonly character: number | null;
  readonly start: string;
  /** The text around the error, which is at index `at`. */
  readonly near: string;
  readonly at: number;
}

/** A keyword of a schema, and what it demands: as in SchemaProblem. */
export interface Demand {
  readonly keyword: string;
  readonly wanted: readonly string[];
}

/** One keyword of a schema that a body violates. */
export interface SchemaMistake extends Demand {
  readonly pointer: string;
  /** The wrong member; null: the body itself, or an item of a list. */
  readonly member: string | null;
  readonly actual: string;
  /** The name of the animal; absent: the wrong value is not in an object with a name. */
  readonly name?: string;
}

export type BodyProblem =
  /** `types`: the media types in the document; null: JSON. */
  | { readonly rule: 'empty-body'; readonly types: readonly string[] | null }
  | {
      readonly rule: 'media-type';
      readonly types: readonly string[] | null;
      readonly mediaType: string | null;
      readonly contentType: string;
    }
  | { readonly rule: 'unreadable-body'; readonly as: 'json'; readonly body: BrokenBody }
  | {
      readonly rule: 'unreadable-body';
      readonly as: 'page';
      readonly body: BrokenBody;
      readonly mediaType: string | null;
      readonly contentType: string;
    }
  /** Null: an empty body. */
  | {
      readonly rule: 'unreadable-body';
      readonly as: 'error' | 'documented';
      readonly body: BrokenBody | null;
    }
  | { readonly rule: 'no-error-body'; readonly body: BrokenBody | null }
  /** `items`: how many items the body has; null: it is not an array. */
  | { readonly rule: 'schema'; readonly mistakes: readonly SchemaMistake[]; readonly items: number | null }
  | { readonly rule: 'error-status-differs'; readonly inBody: bigint; readonly status: number }
  | { readonly rule: 'error-with-200'; readonly body: string };
