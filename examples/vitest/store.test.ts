import { conformance } from 'animal-store-conformance/vitest';
import { startMyServer } from './my-server.ts';
import { listIsSorted, newestFirst } from './own-checks.ts';

conformance({
  start: async () => {
    const server = await startMyServer();
    return {
      baseUrl: `${server.url}/v1`,
      apiKey: server.apiKey,
      plan: 'business',
      stop: () => server.close(),
    };
  },
  requirements: [newestFirst],
  checks: [listIsSorted],
});
