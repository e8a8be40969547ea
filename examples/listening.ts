import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An example server on a socket of this machine. */
export interface Listening {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Resolves when the server listens. */
export const listening = async (server: Server): Promise<Listening> => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
