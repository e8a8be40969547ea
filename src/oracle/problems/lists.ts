import type { Json, JsonObject } from '../../json/json.ts';

/** An animal that the run created. `at`: milliseconds by the run's clock. */
export interface Created {
  readonly id: bigint;
  readonly at: number;
}

/** A list that was requested. `page`: without parameters, so only the default page. */
export interface RequestedList {
  readonly status?: string | undefined;
  readonly page?: 'default' | undefined;
}

/** What is wrong with a list of animals. `count`: its length. */
export type ListProblem =
  | {
      readonly rule: 'too-many-items';
      readonly most: number;
      readonly why: 'limit' | 'default' | 'maximum';
      readonly count: number;
      readonly isCut: boolean;
    }
  | {
      readonly rule: 'wrong-filter';
      readonly status: string;
      readonly others: number;
      readonly count: number;
      readonly example: JsonObject;
    }
  /** `items`: the positions of both, counted from 1. */
  | {
      readonly rule: 'duplicate-id';
      readonly id: bigint;
      readonly items: readonly [number, number];
      readonly count: number;
      readonly others: readonly bigint[];
    }
  /** `knownBy`: the member that identifies the animal. */
  | {
      readonly rule: 'stored-after-refusal';
      readonly status: number;
      readonly knownBy: 'name' | 'categoryId';
      readonly animal: JsonObject;
    }
  /** A page that is not full lacks animals of the run. `status` null: any status. */
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'page';
      readonly wanted: readonly Created[];
      readonly listed: readonly (bigint | null)[];
      readonly most: number;
      readonly status: string | null;
    }
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list after creation';
      readonly list: RequestedList;
      readonly id: bigint;
      readonly count: number;
    }
  /** Another operation shows the animal with that status before and after the list. */
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list between';
      readonly list: { readonly status: string };
      readonly shownBy: 'listPets' | 'getPet';
      readonly id: bigint;
      readonly count: number;
    }
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list of large integers';
      readonly list: RequestedList;
      readonly id: Json | undefined;
      readonly categoryId: bigint;
      readonly count: number;
    }
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list of exact limit';
      readonly list: { readonly status: string };
      readonly id: bigint;
      readonly wanted: number;
      readonly count: number;
    }
  | {
      readonly rule: 'lists-disagree';
      readonly status: string;
      /** The list that lacks the animals. */
      readonly in: 'filtered' | 'plain';
      readonly missing: readonly (bigint | null)[];
      readonly count: number;
    };
