/** An animal that is stored and shown in the wrong shape breaks these wherever it is shown. */
export const shownEverywhere: readonly string[] = ['GEN-3', 'CREATE-1', 'LIST-1', 'GET-1'];

/** The page of an HTTP server itself breaks these: it knows neither documented statuses nor the limit. */
export const ownPage: readonly string[] = ['GEN-1', 'GEN-2', 'ERR-1', 'RATE-1'];
