import { startReferenceServer } from 'animal-store-conformance';

/** Stands for the server of this project: it starts, and says where it is. */
export const startMyServer = async () => {
  const { baseUrl, apiKey, stop } = await startReferenceServer();
  return { url: baseUrl.replace(/\/v1$/, ''), apiKey, close: stop };
};
