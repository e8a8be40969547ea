/** Whether a response shows, or may show, that something was created. */
export const isCreation = (method: string, status: number): boolean =>
  status === 201 || (method === 'POST' && status < 300);

/**
 * Returns how many creations are kept for requests that the server should refuse. If it accepts them, later checks must still be able
 * to create animals.
 */
export const reservedForRefusals = (most: number): number => (most < 2 ? 0 : Math.ceil(most / 5));
