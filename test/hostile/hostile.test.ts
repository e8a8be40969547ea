import { describe, expect, test } from 'vitest';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import { summaryText } from '../../src/cli/terminal/summary.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { page } from '../../src/report/html/page.ts';
import { systemClock } from '../../src/time/clock.ts';
import { key } from '../support/command.ts';
import { runInWords } from '../support/run-in-words.ts';
import { behaviors } from './behaviors.ts';
import { cookie, isLarge, servers } from './servers.ts';
import { expectResult, type Shown } from './shown.ts';
import { behaving, sendingBytes } from './targets.ts';

/** A run in this process. */
const judge = async (baseUrl: string, settings: Partial<RunSettings>): Promise<Shown> => {
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

describe.concurrent('bytes on the wire', () => {
  for (const hostile of servers.filter((server) => !isLarge(server)))
    test(`${hostile.name}: GEN-4 ${hostile.gen4}`, async () => {
      const { baseUrl, received } = await sendingBytes(hostile);
      const shown = await judge(baseUrl, { runs: 1, budget: 20, timeout: 3_000 });
      const { gen4, texts } = expectResult(shown, { code: 1, ...hostile });
      if (hostile.gen4 === 'failed') expect(gen4).toBe('failed');
      else expect(gen4).not.toBe('failed');
      if (hostile.says !== null) expect(texts).toMatch(hostile.says);
      expect(received()).not.toContain(cookie);
    });
});

describe.concurrent('behavior of a server', () => {
  for (const behavior of behaviors)
    test(`${behavior.name}: exit ${behavior.code}`, async () => {
      const { baseUrl } = await behaving(behavior);
      expectResult(await judge(baseUrl, { plan: 'business', ...behavior.settings }), behavior);
    });
});
