import { readdirSync, readFileSync } from 'node:fs';
import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import { summaryText } from '../../src/cli/terminal/summary.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { page } from '../../src/report/html/page.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { systemClock } from '../../src/time/clock.ts';
import { type Ended, key, startRun } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { runInWords } from '../support/run-in-words.ts';
import { openServer, serveOnSocket, testReference } from '../support/servers.ts';
import { type Behavior, behaviors, longErrors } from './behaviors.ts';
import { cookie, type HostileServer, servers } from './servers.ts';

/** Writes each piece in another turn of the event loop, so in another packet. */
const respond = (socket: Socket, hostile: HostileServer, at = 0): void => {
  const { pieces, pause, closes } = hostile;
  const piece = pieces[at];
  const after = (next: () => void) => (pause > 0 ? setTimeout(next, pause) : setImmediate(next));
  if (socket.destroyed) return;
  if (piece !== undefined) socket.write(piece, () => after(() => respond(socket, hostile, at + 1)));
  else if (closes === 'end') socket.end();
  else if (closes === 'reset') socket.resetAndDestroy();
  else if (closes === 'again') respond(socket, hostile);
};

const isRequest = (chunk: Buffer): boolean => /^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(chunk.toString('latin1'));

const sendingBytes = async (hostile: HostileServer) => {
  let received = '';
  let accepted = Promise.resolve();
  const server = net.createServer({ pauseOnConnect: hostile.accepting > 0 }, (socket) => {
    socket.setNoDelay();
    if (hostile.accepting > 0)
      accepted = accepted.then(() => delay(hostile.accepting)).then(() => void socket.resume());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isRequest(chunk)) respond(socket, hostile);
    });
  });
  return { baseUrl: `http://${await openServer(server)}/v1`, received: () => received };
};

/** The reference server with `behavior` in front of it. */
const behaving = (behavior: Pick<Behavior, 'respond'>) => {
  const reference = testReference({ keys: [{ key, plan: 'business' }] });
  let count = 0;
  const fetch = (request: Request, connection?: object): Promise<Response> => {
    count += 1;
    const { pathname, search } = new URL(request.url);
    return behavior.respond({
      count,
      method: request.method,
      path: `${pathname}${search}`,
      length: Number(request.headers.get('content-length') ?? 0),
      pass: () => reference.fetch(request, connection),
      raw: (bytes) => {
        (connection as Socket).end(bytes);
        return new Promise(() => undefined);
      },
      rawOpen: (bytes) => {
        (connection as Socket).write(bytes);
        return new Promise(() => undefined);
      },
    });
  };
  return serveOnSocket({ ...reference, fetch });
};

/** The peak of resident memory so far, in megabytes; 0 if the system does not say. */
const peakOf = (pid: number | undefined): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

type Settings = Partial<RunSettings>;

/** What people see of a run. */
interface Shown {
  readonly code: number | null;
  readonly report: Outcome | undefined;
  readonly printed: string;
  /** The HTML report. */
  readonly html: string;
}

/** A run in this process. */
const judge = async (baseUrl: string, settings: Settings): Promise<Shown> => {
  const printed: string[] = [];
  const write = (text: string) => void printed.push(text);
  const progress = createProgress({ write, columns: () => 80, live: false, color: false }, systemClock);
  const { outcome, exit } = await runInWords(
    { baseUrl, apiKey: key, ...settings },
    { clock: systemClock, watch: progress.watch },
  );
  progress.stop();
  write(summaryText(outcome, { color: false, reports: [] }));
  return { code: exit, report: outcome, printed: printed.join(''), html: page(outcome) };
};

/** A run of the command, whose memory is limited. */
const judgeInProcess = async (baseUrl: string, args: readonly string[]): Promise<Shown> => {
  const { child, ended } = startRun(['--base-url', baseUrl, '--api-key', key, ...args]);
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
  }, 50);
  const shownBy = ({ code, report, out, err, reportDir }: Ended): Shown => {
    const html = readFileSync(`${reportDir}/index.html`, 'utf8');
    return { code, report, printed: `${out}${err}`, html };
  };
  try {
    return shownBy(await ended);
  } finally {
    clearInterval(watch);
    expect(megabytes).toBeLessThan(300);
  }
};

const controlCharacters = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Expects a result in time, no error of the suite, and no harmful text of the server in the output or the report. */
const expectResult = async (
  run: Promise<Shown>,
  { code, failed, seconds }: Pick<Behavior, 'code' | 'failed' | 'seconds'>,
) => {
  const started = performance.now();
  const { report, printed, html, ...ended } = await run;
  expect(ended.code, printed).toBe(code);
  expect((performance.now() - started) / 1_000).toBeLessThan(seconds);
  const verdicts = new Map(report?.requirements.map(({ id, verdict }) => [id, verdict]));
  for (const id of failed) expect(verdicts.get(id), id).toBe('failed');
  expect([...verdicts.values()]).not.toContain('error');
  expect((printed.match(controlCharacters) ?? []).filter((found) => !'\n\t'.includes(found))).toEqual([]);
  expect(printed).not.toMatch(/^::/m);
  expect(html).not.toMatch(/<script>alert/);
  const failures = report?.requirements.flatMap(({ failures }) => failures) ?? [];
  return { gen4: verdicts.get('GEN-4'), texts: failures.map(({ message }) => message).join('\n') };
};

/** So many bytes that the memory of a process is to be watched. */
const isLarge = ({ pieces, closes }: HostileServer): boolean =>
  closes === 'again' || pieces.reduce((sum, { length }) => sum + length, 0) >= 100_000;

describe.concurrent('bytes on the wire', () => {
  test.each(servers)('$name: GEN-4 $gen4', async (hostile) => {
    const { baseUrl, received } = await sendingBytes(hostile);
    const run = isLarge(hostile)
      ? judgeInProcess(baseUrl, ['--runs', '1', '--budget', '20', '--timeout', '3000'])
      : judge(baseUrl, { runs: 1, budget: 20, timeout: 3_000 });
    const { gen4, texts } = await expectResult(run, { code: 1, ...hostile });
    if (hostile.gen4 === 'failed') expect(gen4).toBe('failed');
    else expect(gen4).not.toBe('failed');
    if (hostile.says !== null) expect(texts).toMatch(hostile.says);
    expect(received()).not.toContain(cookie);
  });
});

describe.concurrent('behavior of a server', () => {
  test.each(behaviors)('$name: exit $code', async (behavior) => {
    const { baseUrl } = await behaving(behavior);
    await expectResult(judge(baseUrl, { plan: 'business', ...behavior.settings }), behavior);
  });

  test('errors of 2 MB: exit 0', async () => {
    const { baseUrl } = await behaving({ respond: longErrors });
    const run = judgeInProcess(baseUrl, ['--plan', 'business', '--budget', '150']);
    await expectResult(run, { code: 0, failed: [], seconds: 60 });
  });
});

test('a run writes nothing but its folder of reports', () => {
  expect(readdirSync(folder).filter((name) => !/^reports-\d+$/.test(name))).toEqual([]);
});
