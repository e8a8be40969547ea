/** A likely cause of the whole result of a run. */
export type Diagnosis =
  | {
      readonly cause: 'constant-response';
      readonly status: string;
      /** Requests without a valid key got other responses. */
      readonly onlyWithKey: boolean;
      /** Where a redirect leads; null: unknown. */
      readonly location: string | null;
      readonly baseUrl: string;
    }
  | { readonly cause: 'operations-never-work'; readonly operations: readonly ConstantOperation[] }
  | { readonly cause: 'nothing-rejected'; readonly statuses: readonly string[] }
  | { readonly cause: 'restarts-empty'; readonly lostAnimals: readonly string[] }
  | {
      readonly cause: 'same-status';
      readonly status: number;
      readonly requirements: number;
      readonly firstExchange: number;
    }
  | { readonly cause: 'cannot-create'; readonly reason: string | null };

export interface ConstantOperation {
  readonly operation: string;
  readonly status: string;
}

type Of<C extends Diagnosis['cause']> = Extract<Diagnosis, { cause: C }>;

const constantResponse = ({ status, onlyWithKey, location, baseUrl }: Of<'constant-response'>): string => {
  const advice = status.startsWith('3')
    ? `, a redirect${location === null ? '' : ` to ${location}`} (not followed). Check that the API is at ${baseUrl}`
    : `. Check that the API is at ${baseUrl}, and that no other server listens there`;
  return `Every response${onlyWithKey ? ' with a valid key' : ''} is ${status}${advice}.`;
};

const sameStatus = ({ status, requirements, firstExchange }: Of<'same-status'>): string => {
  const advice = status === 401 ? 'Check whether the server loses or locks the key.' : 'Probably one bug.';
  return `All ${requirements} requirements fail because of unexpected ${status} responses, from about request ${firstExchange} on. ${advice}`;
};

/** A diagnosis in a sentence. */
export const diagnosisText = (diagnosis: Diagnosis): string => {
  switch (diagnosis.cause) {
    case 'constant-response':
      return constantResponse(diagnosis);
    case 'operations-never-work':
      return `With a valid key, ${diagnosis.operations
        .map(({ operation, status }) => `${operation} always returns ${status}`)
        .join(', ')}. Fix this first: other failures may follow from it.`;
    case 'nothing-rejected':
      return `Errors never use 400, 401, or 404 (only ${diagnosis.statuses.join(', ')} seen): fix error handling first.`;
    case 'restarts-empty':
      return `Connections are dropped (GEN-4) and animals are lost (${diagnosis.lostAnimals.join(', ')}). If the server crashes, restarts, and keeps animals in memory, one bug causes both: fix GEN-4 first.`;
    case 'same-status':
      return sameStatus(diagnosis);
    case 'cannot-create':
      return `No animal could be created: ${diagnosis.reason}.`;
  }
};
