import { writeFile } from 'node:fs/promises';
import { Server } from 'node:http';
import { join } from 'node:path';
import { run, type Settings } from '../../src/api/index.ts';
import { inTemporaryFolder } from './folder.ts';
import { alarming } from './run-in-words.ts';
import { openServer, serveOnSocket } from './servers.ts';

type Respond = (request: Request) => Promise<Response>;

const addressOf = async (server: Respond | Server): Promise<string> => {
  if (server instanceof Server) return `http://${await openServer(server)}`;
  const refuse = async () => new Response(null, { status: 400 });
  const { baseUrl } = await serveOnSocket({ keys: [], fetch: server, refuse });
  return baseUrl.replace(/\/v1$/, '');
};

/** Tests a server of another API, over a socket, in this process: with seed 1, unless the settings have another. */
export const runOnApi = async (document: object, server: Respond | Server, settings: Settings = {}) => {
  const { exitCode, report } = await inTemporaryFolder(async (folder) => {
    const spec = join(folder, 'openapi.json');
    await writeFile(spec, JSON.stringify(document));
    return run({ spec, baseUrl: await addressOf(server), seed: 1, ...settings });
  });
  const found = alarming(report.requirements);
  return {
    exitCode,
    report,
    alarms: found.map(({ id }) => id),
    messages: found.flatMap(({ failures }) => failures.map(({ message }) => message)),
  };
};
