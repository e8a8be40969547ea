import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contacts } from '../../bench/apis/contacts.ts';
import type { BenchApi } from '../../bench/apis/fault.ts';
import { helpdesk } from '../../bench/apis/helpdesk.ts';
import { library } from '../../bench/apis/library.ts';
import { rooms } from '../../bench/apis/rooms.ts';
import { run } from '../support/command.ts';
import { folder } from '../support/processes.ts';

/** Tests a server of the bench by the command. */
const judge = async (api: BenchApi, faults: readonly string[]) => {
  const spec = join(folder, `${api.name}.json`);
  await writeFile(spec, JSON.stringify(await api.document()));
  const server = await api.serve(new Set(faults));
  try {
    const { code, report } = await run([
      ...['--base-url', server.baseUrl, '--spec', spec, '--api-key', api.key, '--seed', '7'],
    ]);
    const failed = report?.requirements.filter(({ verdict }) => verdict === 'failed') ?? [];
    return { code, report, failed: failed.map(({ id }) => id) };
  } finally {
    await server.close();
  }
};

describe('a server of another API, by its own document', () => {
  test.each([library, helpdesk, rooms, contacts])('$name on $framework -> no failure', async (api) => {
    const { code, report, failed } = await judge(api, []);
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    expect(report?.operations).toMatchObject({ notRequested: [] });
    expect(report?.operations?.requested).toBe(report?.operations?.all);
    expect(report?.traffic.requests).toBeLessThanOrEqual(1_500);
  });

  test.each([
    [library, 'title-limit-100', 'REQ-1'],
    [library, 'six-stars-accepted', 'REQ-2'],
    [library, 'not-stored', 'RES-1'],
    [helpdesk, 'patch-resets', 'RES-2'],
    [library, 'delete-does-nothing', 'RES-3'],
    [library, 'first-listed-twice', 'RES-4'],
    [rooms, 'accessible-ignored', 'RES-5'],
    [helpdesk, 'size-ignored', 'RES-6'],
    [helpdesk, 'ids-repeat', 'RES-7'],
    [helpdesk, 'refused-is-stored', 'RES-8'],
    [helpdesk, 'first-instead-of-404', 'RES-9'],
    [library, 'reviews-of-all-books', 'RES-10'],
  ] as const)('$0.name with the fault $1 -> $2 fails', async (api, fault, requirement) => {
    const { code, failed } = await judge(api, [fault]);
    expect(code).toBe(1);
    expect(failed).toContain(requirement);
  });
});
