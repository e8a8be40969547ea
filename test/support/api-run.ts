import { writeFile } from 'node:fs/promises';
import { Server } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { prepareRun } from '../../src/api/prepare.ts';
import { runSuite } from '../../src/api/run-suite.ts';
import { givenSettings, type Settings } from '../../src/api/settings.ts';
import { toReport } from '../../src/report/conformance.ts';
import type { Clock } from '../../src/time/clock.ts';
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

/** A clock that nobody waits for: it jumps over the time that the suite sleeps. Sockets have real time. */
const createJumpingClock = (): Clock => {
  let skippedMs = 0;
  const now = () => Date.now() + skippedMs;
  return {
    now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      const wakeAt = now() + ms;
      await setImmediate();
      skippedMs = Math.max(skippedMs, wakeAt - Date.now());
    },
  };
};

/** Tests a server of another API, over a socket, in this process: with seed 1, unless the settings have another. */
export const runOnApi = async (
  document: object,
  server: Respond | Server,
  settings: Settings = {},
  clock = createJumpingClock(),
) => {
  const { exitCode, report } = await inTemporaryFolder(async (folder) => {
    const spec = join(folder, 'openapi.json');
    await writeFile(spec, JSON.stringify(document));
    const { flags, own } = givenSettings({ spec, baseUrl: await addressOf(server), seed: 1, ...settings });
    const prepared = await prepareRun({ flags, own, env: {}, directory: null, writesReports: false });
    if (!prepared.ok) return expect.fail(prepared.problems.join('; '));
    const { signal } = new AbortController();
    const deps = { ...prepared.read, signal, clock };
    const { outcome, exit } = await runSuite(prepared.settings, deps);
    return { exitCode: exit, report: toReport(outcome) };
  });
  const found = alarming(report.requirements);
  return {
    exitCode,
    report,
    alarms: found.map(({ id }) => id),
    messages: found.flatMap(({ failures }) => failures.map(({ message }) => message)),
  };
};
