/**
 * Writes a new requirement, fault, or dialect in its places, each with what to do next. Without arguments it lists what is left to do;
 * a test fails until nothing is.
 *
 *     npm run new -- requirement CREATE-12 SHOULD "A created animal has a name."
 *     npm run new -- fault names-cut CREATE-12
 *     npm run new -- dialect names-trimmed CREATE-12
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import { dialects } from '../src/reference/dialects/index.ts';
import { faults } from '../src/reference/faults/index.ts';

/** The files for the checks, faults, and dialects of each group of requirements. */
const places: Readonly<Record<string, { checks: string; faults: string; dialects: string }>> = {
  GEN: { checks: 'undocumented-requests', faults: 'gen', dialects: 'messages' },
  ERR: { checks: 'invalid-bodies', faults: 'err', dialects: 'errors' },
  AUTH: { checks: 'auth', faults: 'auth', dialects: 'authentication' },
  LIST: { checks: 'list', faults: 'list', dialects: 'lists' },
  CREATE: { checks: 'create', faults: 'create', dialects: 'creations' },
  GET: { checks: 'get', faults: 'get', dialects: 'pet-by-id' },
  ORDERS: { checks: 'orders', faults: 'orders', dialects: 'resources' },
  RATE: { checks: 'rate-limit', faults: 'rate', dialects: 'limits-shown' },
  // A fault of the base URL itself is a row of `version.ts`.
  VER: { checks: 'version', faults: 'gen', dialects: 'messages' },
};

const groupOf = (id: string): string => id.replace(/-\d+$/, '');
const placeOf = (id: string) => places[groupOf(id)] ?? { checks: '', faults: '', dialects: '' };

/** Changes a file of the project, and returns its path. */
const edit = (file: string, change: (text: string) => string): string => {
  const path = join(packageRoot(), file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  return file;
};

/** Imports a name, unless the text does so. */
const withImport = (text: string, module: string, name: string): string =>
  new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '${module}'`).test(text)
    ? text
    : `import { ${name} } from '${module}';\n${text}`;

/** Adds an item at the end of the last array of a text. */
const withItem = (text: string, item: string): string => {
  const end = text.lastIndexOf(']');
  const before = text.slice(0, end).trimEnd();
  return `${before}${/[,[]$/.test(before) ? '' : ','}\n${item},\n${text.slice(end)}`;
};

/** Adds the row after the others of its group. */
const addRow = (id: string, level: string, statement: string): string =>
  edit('spec/requirements.yaml', (text) => {
    const last = text.lastIndexOf(`- id: ${groupOf(id)}-`);
    const end = text.indexOf('\n\n', last) < 0 ? text.length : text.indexOf('\n\n', last) + 1;
    const row = `- id: ${id}
  level: ${level}
  statement: ${JSON.stringify(statement)}
  # Next: Name the section, and under dependsOn the requirements without which this one cannot be tested.
  section: Endpoints
  subject: server
  dependsOn: []
`;
    return `${text.slice(0, end)}${row}${text.slice(end)}`;
  });

const evidence = (level: string): string =>
  level === 'OPEN'
    ? 'Record what the server does with context.observe(subject, value)'
    : 'Record a contradiction with context.breach({ problem, response }), and a response that agrees with context.passed()';

const addCheck = (id: string, level: string, statement: string): string =>
  edit(`suites/animal-store/${placeOf(id).checks}.ts`, (text) => {
    const prefix = id.toLowerCase();
    const name = prefix.replace('-', '');
    const check = `
const ${name} = defineCheck({
  // Next: Choose the end of the id, which is permanent, and the title: both say what the check does.
  id: '${prefix}-check',
  title: ${JSON.stringify(statement.replaceAll('`', '').replace(/\.$/, ''))},
  requirement: '${id}',
  // Next: List the inputs of its cases. Mark those for short runs: smoke(input) or core(input).
  inputs: () => [null],
  run: async () => {
    // Next: Send requests with context.send. ${evidence(level)}.
  },
});
`;
    const added = withItem(withImport(text, '../../src/check/index.ts', 'defineCheck'), name);
    const list = added.lastIndexOf('\n\n', added.lastIndexOf('export const '));
    return `${added.slice(0, list + 1)}${check}${added.slice(list + 1)}`;
  });

type Kind = 'fault' | 'dialect';

/** What differs between a fault and a dialect. */
const patches = {
  fault: {
    folder: 'faults',
    module: './family.ts',
    maker: 'family',
    start: (id: string) => `family('${id}', {`,
    what: 'a mistake that people make: one operation, rare values',
  },
  dialect: {
    folder: 'dialects',
    module: './choices.ts',
    maker: 'independent',
    start: () => 'independent({',
    what: 'a choice that the document leaves open',
  },
} as const;

const addPatches = (kind: Kind, names: readonly string[], id: string): string => {
  const { folder, module, maker, start, what } = patches[kind];
  const rows = names.map(
    (
      name,
    ) => `  // Next: Describe ${what}, and make it with a patch of patch-kit/. See it: npm run selftest -- --${kind} ${name}
  '${name}': ['The server.', compose()],
`,
  );
  return edit(`src/reference/${folder}/${placeOf(id)[folder]}.ts`, (text) =>
    withItem(
      withImport(withImport(text, module, maker), '../patch-kit/core.ts', 'compose'),
      `...${start(id)}\n${rows.join('')}})`,
    ),
  );
};

const addRequirement = (id: string, level: string, statement: string): readonly string[] => {
  const name = id.toLowerCase();
  const faultNames = [`${name}-broken`, `${name}-broken-rarely`];
  return [
    addRow(id, level, statement),
    addCheck(id, level, statement),
    ...(level === 'OPEN' ? [] : [addPatches('fault', faultNames, id)]),
    addPatches('dialect', [`${name}-varied`], id),
  ];
};

const existing = new Set([...faults, ...dialects].map(({ name }) => name));
const isId = (id: string): boolean => groupOf(id) in places && /-[1-9]\d*$/.test(id);
const ids = `a group (${Object.keys(places).join(', ')}) and a number`;

const objectionToRequirement = (id: string, level: string, statement: string): string | null => {
  if (!isId(id))
    return `"${id}" is not the id of a requirement on servers. Write ${ids}, for example LIST-11.`;
  if (loadCatalogue().some((requirement) => requirement.id === id))
    return `${id} exists. Write the next number of its group.`;
  if (!['MUST', 'SHOULD', 'OPEN'].includes(level))
    return `"${level}" is not a level. Write MUST, SHOULD, or OPEN.`;
  return statement === '' ? 'The statement is missing. Write a sentence in quotes.' : null;
};

const objectionToPatch = (kind: Kind, name: string, id: string): string | null => {
  if (!/^[a-z\d]+(-[a-z\d]+)*$/.test(name))
    return `"${name}" is not a name. Write words with hyphens, for example names-cut.`;
  if (existing.has(name)) return `${name} exists. Choose another name.`;
  const example = `for example: npm run new -- ${kind} ${name} LIST-3`;
  return isId(id)
    ? null
    : `"${id}" is not the id of a requirement. Write the requirement that the ${kind} is about, ${example}`;
};

/** Writes the parts, and returns the changed files, or what is wrong with the arguments. */
const write = ([kind = '', first = '', second = '', third = '']: readonly string[]):
  | readonly string[]
  | string => {
  if (kind === 'requirement')
    return objectionToRequirement(first, second, third) ?? addRequirement(first, second, third);
  if (kind === 'fault' || kind === 'dialect')
    return objectionToPatch(kind, first, second) ?? [addPatches(kind, [first], second)];
  return `"${kind}" cannot be written. Write requirement, fault, or dialect.`;
};

/** What files of the project still say is to do, as `file:line: what`. */
export const nextSteps = (): readonly string[] =>
  globSync(['spec/*.yaml', 'suites/**/*.ts', 'src/reference/**/*.ts'], { cwd: packageRoot() })
    .toSorted()
    .flatMap((file) =>
      readFileSync(join(packageRoot(), file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const step = /^\s*(?:\/\/|#) Next: (.*)$/.exec(line)?.[1];
          return step === undefined ? [] : [`${file}:${index + 1}: ${step}`];
        }),
    );

if (import.meta.main) {
  const words = process.argv.slice(2);
  const written = words.length === 0 ? [] : write(words);
  if (typeof written === 'string') {
    console.error(`error: ${written}`);
    process.exitCode = 2;
  } else {
    const biome = join(packageRoot(), 'node_modules', '.bin', 'biome');
    const sources = written.filter((file) => file.endsWith('.ts'));
    if (sources.length > 0)
      spawnSync(biome, ['check', '--write', ...sources], { cwd: packageRoot(), stdio: 'ignore' });
    console.log([...nextSteps(), 'Then: npm run record, and read what it changed'].join('\n'));
  }
}
