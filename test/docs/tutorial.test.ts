// Plays docs/tutorial.md: writes the files, makes the changes, and compares the output that the page shows with that of the run.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../support/pages.ts';
import { firstLineOf, folder, shell, start } from '../support/processes.ts';

interface Block {
  readonly kind: string;
  readonly text: string;
}

const blocks: readonly Block[] = [...textOf('docs/tutorial.md').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);

/** The name of the file in the first line of a block, and the other lines. */
const fileIn = (text: string) => {
  const [, name = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? [];
  return { name, rest };
};

/** Makes each change where its context or its removed lines are. */
const applyDiff = (before: string, diff: string): string =>
  diff.split(/^ …\n/m).reduce((text, hunk) => {
    const lines = hunk.trimEnd().split('\n');
    const side = (other: string) =>
      lines.flatMap((line) => (line.startsWith(other) ? [] : `${line.slice(1)}\n`)).join('');
    expect(text).toContain(side('+'));
    return text.replace(side('+'), () => side('-'));
  }, before);

/** What the page shows at one place, and what has been written until then. */
interface Step {
  readonly command: string;
  readonly files: ReadonlyMap<string, string>;
  readonly shown: string;
}

/** Starts the server of a step, and runs the command against it. */
const outputOf = async ({ command, files }: Step): Promise<string> => {
  const here = mkdtempSync(join(folder, 'tutorial-'));
  for (const [name, text] of files) writeFileSync(join(here, name), text);
  const { child } = start(process.execPath, ['server.mjs'], { PORT: '0' }, here);
  const port = await firstLineOf(child);
  const { ended } = shell(
    command.replaceAll('8080', port).replaceAll('npx --no-install ', ''),
    { ANIMAL_STORE_API_KEY: 'tutorial-key' },
    here,
  );
  const { out, err } = await ended;
  expect(err).toBe('');
  child.kill();
  return out.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:8080');
};

const stepsOf = (): readonly Step[] => {
  const files = new Map<string, string>();
  let command = '';
  return blocks.flatMap(({ kind, text }) => {
    if (kind === 'sh') command = text;
    else if (kind === 'text') return { command, files: new Map(files), shown: text };
    else {
      const { name, rest } = fileIn(text);
      files.set(name, kind === 'diff' ? applyDiff(files.get(name) ?? '', rest) : rest);
    }
    return [];
  });
};

/** Line for line, except for lines that the page leaves out. */
const expectShown = (shown: string, out: string): void => {
  const parts = shown.split(/^…\n/m);
  let from = 0;
  for (const part of parts) {
    const at = out.indexOf(part, from);
    expect(at, `${part}\nin the output\n${out}`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
};

const failedIn = (shown: string): number => Number(/^Failed: (\d+)/.exec(shown)?.[1] ?? 0);

test('the tutorial -> each step shows the output of the run, and has fewer failures', async () => {
  const steps = stepsOf();
  await Promise.all(steps.map(async (step) => expectShown(step.shown, await outputOf(step))));
  expect(steps.map(({ shown }) => failedIn(shown))).toEqual([12, 11, 8, 5, 4, 3, 2, 0, 0]);
});
