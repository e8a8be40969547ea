import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createInProcessTransport } from '../../src/http/in-process.ts';
import type { Json } from '../../src/json/json.ts';
import { loadDocument } from '../../src/openapi/load.ts';
import { packageRoot } from '../../src/openapi/package-root.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { handlerOf } from '../../src/selftest/server.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { nowhere } from './build.ts';
import { inTemporaryFolder } from './folder.ts';
import { runInWords } from './run-in-words.ts';
import { testReference } from './servers.ts';

const written = await readFile(join(packageRoot(), 'spec', 'openapi.yaml'), 'utf8');

/** The document of the animal store, with some texts replaced. */
export const documentWith = async (...changes: readonly (readonly [before: string, after: string])[]) => {
  const changed = changes.reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, () => after);
  }, written);
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'openapi.yaml');
    await writeFile(file, changed);
    return loadDocument(file);
  });
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  readonly status: number;
}

/** Tests a reference server with patches by another document. */
export const judge = async (
  document: Awaited<ReturnType<typeof documentWith>>,
  ...patches: readonly Patch[]
) => {
  const clock = createVirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const key = 'own-document-key-0123456789';
  const keys = [{ key, plan: 'business' }] as const;
  const reference = testReference({ clock: clock.inside, keys, seedPets: 2, patches });
  const sent: Sent[] = [];
  const handle = handlerOf(reference);
  const transport = createInProcessTransport(async (request, connection) => {
    const { pathname, searchParams } = new URL(request.url);
    const response = await handle(request, connection);
    sent.push({
      method: request.method,
      path: pathname.replace('/v1', ''),
      query: searchParams,
      body: jsonIn(Buffer.from(request.body ?? '').toString()),
      status: response.status,
    });
    return response;
  }, clock);
  const { outcome, exit } = await runInWords(
    { seed: 11, runs: 10 },
    {
      clock,
      document,
      target: nowhere({
        baseUrl: 'http://localhost/v1',
        keys: { main: key, 'rate-limit': null },
        plans: { main: 'business', 'rate-limit': null },
        transport,
      }),
    },
  );
  const failures = outcome.requirements.flatMap((requirement) =>
    requirement.failures.map(({ message }) => `${requirement.id}: ${message}`),
  );
  return { outcome, exit, failures, sent };
};

const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
