/** A body that is not JSON: where it breaks the grammar, without the rest. */
export interface BrokenBody {
  readonly why: string;
  /** From 1 on; null: not known. */
  readonly character: number | null;
  readonly start: string;
  /** The text around the place, which is at the index `at`. */
  readonly near: string;
  readonly at: number;
}

/** One rule of a schema that a body breaks. */
export interface SchemaMistake {
  readonly pointer: string;
  readonly keyword: string;
  /** The member that is wrong; null: the body itself, or an item of a list. */
  readonly member: string | null;
  readonly expected: string;
  readonly actual: string;
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
