import type { Document, Node, ParsedNode } from 'yaml';
import { isAlias, isScalar, LineCounter, parseDocument } from 'yaml';

/** A parsed YAML or JSON text that knows where each of its parts stands. */
export interface YamlFile {
  readonly root: Node | null;
  /** Follows an alias to what it stands for. */
  resolve(node: unknown): unknown;
  /** `file:line:column` of a part. */
  at(node: unknown): string;
}

export type ParsedYaml =
  | { readonly ok: true; readonly file: YamlFile }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses YAML 1.2 (JSON is a part of it). Problems carry `file:line:column` and never quote the text. */
export const parseYaml = (path: string, text: string): ParsedYaml => {
  const lines = new LineCounter();
  const document: Document.Parsed<ParsedNode> = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const wrong = document.errors.map(
    // The library's sentence may quote the text after its last colon, and the text may hold a key.
    ({ pos, message }) =>
      `${place(pos[0])}: ${message.split('\n')[0]?.split(/: (?=[^ ]+$)/)[0] ?? 'not YAML'}`,
  );
  if (wrong.length > 0) return { ok: false, problems: wrong.slice(0, 1) };
  const at = (node: unknown) => {
    const { range } = node as Partial<Node>;
    return range ? place(range[0]) : path;
  };
  return {
    ok: true,
    file: {
      root: document.contents,
      resolve: (node) => (isAlias(node) ? node.resolve(document) : node),
      at,
    },
  };
};

/** A scalar as it was written: a number keeps its digits. Null is nothing at all; undefined is no scalar. */
export const scalarOf = (node: unknown): string | boolean | null | undefined => {
  if (node === null) return null;
  if (!isScalar(node)) return undefined;
  if (node.value === null || typeof node.value === 'boolean') return node.value;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
};
