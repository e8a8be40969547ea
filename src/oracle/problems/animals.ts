import type { Json, JsonObject } from '../../json/json.ts';

/** The response in which a member of an animal had another value than before. */
export type ShownIn =
  | 'list'
  | 'list after creation'
  | 'get'
  | 'get as created'
  | 'get as listed'
  | 'get after other requests';

/** What is wrong with one animal. */
export type AnimalProblem =
  | { readonly rule: 'id-not-int64'; readonly id: Json | undefined }
  | {
      readonly rule: 'id-reused';
      readonly by: 'listed' | 'earlier creation' | 'concurrent creation';
      readonly id: bigint;
    }
  | { readonly rule: 'id-reused'; readonly by: 'batch'; readonly id: bigint; readonly ids: readonly bigint[] }
  | {
      readonly rule: 'member-differs';
      readonly in: 'creation';
      readonly member: string;
      readonly sent: Json | undefined;
      readonly got: Json | undefined;
      /** The response is the animal of another request. */
      readonly isOther: boolean;
    }
  | {
      readonly rule: 'member-differs';
      readonly in: ShownIn;
      readonly member: string;
      readonly id: bigint;
      readonly was: JsonObject;
      readonly is: JsonObject;
    }
  /** The categoryId of a new animal; `id` null: in the list. */
  | {
      readonly rule: 'member-differs';
      readonly in: 'categoryId';
      readonly id: bigint | null;
      readonly sent: bigint;
      readonly got: Json | undefined;
    }
  | {
      readonly rule: 'status-when-omitted';
      readonly allowed: readonly string[];
      readonly got: Json | undefined;
    }
  | { readonly rule: 'id-from-request'; readonly input: string; readonly id: Json | undefined }
  /** `is` null: no animal has the id. */
  | {
      readonly rule: 'animal-replaced';
      readonly id: bigint;
      readonly isGone: boolean;
      readonly was: JsonObject;
      readonly is: JsonObject | null;
    }
  | {
      readonly rule: 'wrong-animal';
      readonly requested: bigint;
      readonly got: bigint | null;
      readonly isConcurrent: boolean;
    };
