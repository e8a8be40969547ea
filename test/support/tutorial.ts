import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textOf } from './pages.ts';
import { firstLineOf, folder, shell, start } from './processes.ts';

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
export interface Step {
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

/** The steps of docs/tutorial.md. */
export const tutorialSteps = (): readonly Step[] => {
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

/** Makes the run of a step, and compares its output line for line, except for lines that the page leaves out. */
export const playStep = async (step: Step): Promise<void> => {
  const out = await outputOf(step);
  const parts = step.shown.split(/^…\n/m);
  let from = 0;
  for (const part of parts) {
    const at = out.indexOf(part, from);
    expect(at, `${part}\nin the output\n${out}`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
};
