/** A response that says that something was created, or may say so. */
export const isCreation = (method: string, status: number): boolean =>
  status === 201 || (method === 'POST' && status < 300);

/**
 * Creations reserved for requests that the server should refuse. Without permission for one more creation none of them can be sent, and
 * a server that accepts them must not use up what later checks create.
 */
export const reservedForRefusals = (most: number): number =>
  most < 2 ? 0 : Math.min(40, Math.ceil(most / 5));
