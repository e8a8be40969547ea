interface ConstantResponse {
  readonly status: string;
  /** Requests without a valid key got other responses. */
  readonly onlyWithKey: boolean;
  /** Where a redirect leads; null: unknown. */
  readonly location: string | null;
  readonly baseUrl: string;
}

interface SameStatus {
  readonly status: number;
  readonly requirements: number;
  readonly firstExchange: number;
}

export interface ConstantOperation {
  readonly operation: string;
  readonly status: string;
}

/** The likely causes of the whole result of a run, each in a sentence. */
export const diagnoses = {
  constantResponse: ({ status, onlyWithKey, location, baseUrl }: ConstantResponse): string => {
    const advice = status.startsWith('3')
      ? `, a redirect${location === null ? '' : ` to ${location}`} (not followed). Check that the API is at ${baseUrl}`
      : `. Check that the API is at ${baseUrl}, and that no other server listens there`;
    return `Every response${onlyWithKey ? ' with a valid key' : ''} is ${status}${advice}.`;
  },
  operationsNeverWork: (operations: readonly ConstantOperation[]): string =>
    `With a valid key, ${operations
      .map(({ operation, status }) => `${operation} always returns ${status}`)
      .join(', ')}. Fix this first: other failures may follow from it.`,
  nothingRejected: (statuses: readonly string[]): string =>
    `Errors never use 400, 401, or 404 (only ${statuses.join(', ')} seen): fix error handling first.`,
  restartsEmpty: (lostAnimals: readonly string[]): string =>
    `Connections are dropped (GEN-4) and animals are lost (${lostAnimals.join(', ')}). If the server crashes, restarts, and keeps animals in memory, one bug causes both: fix GEN-4 first.`,
  sameStatus: ({ status, requirements, firstExchange }: SameStatus): string => {
    const advice = status === 401 ? 'Check whether the server loses or locks the key.' : 'Probably one bug.';
    return `All ${requirements} requirements fail because of unexpected ${status} responses, from about request ${firstExchange} on. ${advice}`;
  },
  cannotCreate: (reason: string | null): string => `No animal could be created: ${reason}.`,
};
