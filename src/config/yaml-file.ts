import {
  type Document,
  isAlias,
  isScalar,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { entryProblems } from './refusals.ts';
import type { OrProblems } from './values.ts';

/** A parsed YAML or JSON text with the position of each part. */
export interface YamlFile {
  readonly root: Node | null;
  /** Returns the value of an alias; other nodes unchanged. */
  resolve(node: unknown): unknown;
  /** Returns `file:line:column` of a part. */
  at(node: unknown): string;
  /** Returns the line of a part; 1 if it is not known. */
  lineOf(node: unknown): number;
}

export type ParsedYaml = OrProblems<{ readonly file: YamlFile }>;

/**
 * Parses YAML 1.2, which includes JSON. Problems have `file:line:column` and never quote the text. `uniqueKeys`: a repeated key is a
 * problem.
 */
export const parseYaml = (path: string, text: string, { uniqueKeys = true } = {}): ParsedYaml => {
  const lines = new LineCounter();
  const document: Document.Parsed<ParsedNode> = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys,
    prettyErrors: false,
    logLevel: 'error',
  });
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const problems = document.errors.map(
    // The library's sentence may quote the text after its last colon, and the text may hold a key.
    ({ pos, message, code }) => {
      const [sentence = entryProblems.notYaml] = message.split('\n')[0]?.split(/: (?=[^ ]+$)/) ?? [];
      return `${position(pos[0])}: ${code === 'MULTIPLE_DOCS' ? entryProblems.severalDocuments : sentence}`;
    },
  );
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, 1) };
  const startOf = (node: unknown): number | undefined => (node as Partial<Node> | null)?.range?.[0];
  return {
    ok: true,
    file: {
      root: document.contents,
      resolve: (node) => (isAlias(node) ? node.resolve(document) : node),
      at: (node) => {
        const start = startOf(node);
        return start === undefined ? path : position(start);
      },
      lineOf: (node) => lines.linePos(startOf(node) ?? 0).line || 1,
    },
  };
};

/** Returns a scalar as written, so that a number keeps its digits. Null: a null value; undefined: not a scalar. */
export const scalarOf = (node: unknown): string | boolean | null | undefined => {
  if (node === null) return null;
  if (!isScalar(node)) return undefined;
  if (node.value === null || typeof node.value === 'boolean') return node.value;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
};
