import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot } from '../src/openapi/package-root.ts';

// Writes docs/checks.md, the reference of everything that a check of one's own may use, from the comments of the code.

const facade = join(packageRoot(), 'src/check/index.ts');

export const checksPath = join(packageRoot(), 'docs', 'checks.md');

/** An exported name, and the file and name of its declaration. */
interface Exported {
  readonly name: string;
  readonly file: string;
  readonly declared: string;
}

/** The names that a facade exports from files of the project. */
export const exportsOf = (text: string, folder: string): readonly Exported[] =>
  [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']*)';/gm)].flatMap(
    ([, list = '', from = '']) =>
      list
        .split(',')
        .map((each) => each.trim().replace(/^type /, ''))
        .filter((each) => each !== '')
        .map((each) => {
          const [declared = '', name = declared] = each.split(' as ');
          return { name, declared, file: join(folder, from) };
        }),
  );

/** A declaration as a reader needs it: its comment, and its text without a body. */
interface Declaration {
  readonly comment: string;
  readonly code: string;
}

const commentText = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .replace(/\s*@throws (\w)/, (_, first: string) => ` Throws ${first === 'E' ? 'an e' : first}`)
    .trim();

/** A function without its body, a type or interface whole. */
const withoutBody = (text: string): string => {
  const type = /^export (?:interface [\s\S]*?^\}|type [\s\S]*?;$)/m.exec(text);
  if (type?.index === 0) return type[0];
  const [line = ''] = /^export (?:const[\s\S]*?(?= =>\s)|function[\s\S]*?(?= \{\n))/.exec(text) ?? [];
  return `${line};`;
};

const importedFrom = (text: string, name: string): string | null => {
  const pattern = new RegExp(`(?:import|export) (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '(\\.[^']*)'`);
  return pattern.exec(text)?.[1] ?? null;
};

/** Finds a declaration, through files that only pass it on. */
const declarationOf = async ({ file, declared }: Omit<Exported, 'name'>): Promise<Declaration> => {
  const text = await readFile(file, 'utf8');
  const pattern = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?(export (?:const|function|interface|type) ${declared}\\b[\\s\\S]*)`,
  );
  const [, comment, rest] = pattern.exec(text) ?? [];
  if (rest === undefined) {
    const from = importedFrom(text, declared);
    if (from === null) throw new Error(`${file} does not declare ${declared}`);
    return declarationOf({ file: join(dirname(file), from), declared });
  }
  const code = withoutBody(rest);
  const [, alias = ''] = /^export type \w+ = (\w+);$/.exec(code) ?? [];
  const from = alias === '' ? null : importedFrom(text, alias);
  const meant =
    from === null ? null : await declarationOf({ file: join(dirname(file), from), declared: alias });
  return { comment: commentText(comment ?? ''), code: meant === null ? code : `${code}\n\n${meant.code}` };
};

const section = async (exported: Exported): Promise<string> => {
  const { comment, code } = await declarationOf(exported);
  if (comment === '') throw new Error(`${exported.declared} in ${exported.file} has no TSDoc comment`);
  return `## ${exported.name}\n\n${comment}\n\n\`\`\`ts\n${code.replace(/^export /gm, '')}\n\`\`\`\n`;
};

/** The text of docs/checks.md. Throws an error that names an export without a comment. */
export const checksReference = async (): Promise<string> => {
  const text = await readFile(facade, 'utf8');
  const names = exportsOf(text, dirname(facade)).toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const sections = await Promise.all(names.map(section));
  return `# What a check may use

Written by \`npm run docs\` from the comments of the code. [How to add a check](how-to.md#add-checks-of-your-own) has an example.
\`animal-store-conformance\` exports all of it, and \`fc\`, which is [fast-check](https://fast-check.dev).

${sections.join('\n')}`;
};

if (import.meta.main) await writeFile(checksPath, await checksReference());
