import type { Json, JsonObject } from '../../json/json.ts';

/** An animal that the run created: when, by the clock of the run in milliseconds. */
export interface Created {
  readonly id: bigint;
  readonly at: number;
}

/** A list that was requested; `page`: without parameters, so only the default page. */
export interface AskedList {
  readonly status?: string | undefined;
  readonly page?: 'default' | undefined;
}

/** What is wrong with a list of animals. `count`: how many it has. */
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
  /** `items`: the positions of both, from 1 on. */
  | {
      readonly rule: 'duplicate-id';
      readonly id: bigint;
      readonly items: readonly [number, number];
      readonly count: number;
      readonly others: readonly bigint[];
    }
  /** `knownBy`: the member by which the animal is known. */
  | {
      readonly rule: 'stored-after-refusal';
      readonly status: number;
      readonly knownBy: 'name' | 'categoryId';
      readonly animal: JsonObject;
    }
  /** A page that is not full, without some of the animals of the run. `status` null: of any status. */
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
      readonly list: AskedList;
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
      readonly list: AskedList;
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
