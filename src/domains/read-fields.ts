import { isMap, isScalar, isSeq } from 'yaml';
import { valueProblems } from '../config/refusals.ts';
import type { YamlFile } from '../config/yaml-file.ts';
import { domainProblems as problems } from './refusals.ts';

/** A part of the file: a node with the name of its field. */
export interface Part {
  /** For example `domains[0].name`; empty: the whole file. */
  readonly field: string;
  readonly node: unknown;
  /** A missing node is reported on the line of this one. */
  readonly parent: unknown;
}

/** The fields of a map by name. Absent fields have no entry. */
export type Fields = ReadonlyMap<string, Part>;

/** The part of the JSON Schema of the file that is about a map. */
interface MapSchema {
  readonly properties: object;
  readonly required?: readonly string[];
}

export type FieldReader = ReturnType<typeof createFieldReader>;

/** The field of the whole file that a field is in. */
export const outermost = (field: string): string => /^\w*/.exec(field)?.[0] ?? '';

/** Reads the parts of a file, and collects each mistake: where it is, and what is wrong. */
export const createFieldReader = (file: YamlFile, placeOf: (field: string, line: number) => string) => {
  const found: { readonly field: string; readonly line: number; readonly text: string }[] = [];
  const reader = {
    report: ({ field, node, parent }: Part, problem: string): null => {
      const line = file.lineOf(node ?? parent);
      found.push({ field, line, text: `${placeOf(field, line)}: ${problem}` });
      return null;
    },
    /** The mistakes in the order of their lines. */
    problems: (): readonly string[] =>
      found.toSorted((one, other) => one.line - other.line).map(({ text }) => text),
    hasProblemIn: (...names: readonly string[]): boolean =>
      found.some(({ field }) => names.includes(outermost(field))),
    /** The fields of a map, each in its JSON Schema and given once. Null: it is not a map. */
    fields: (part: Part, { properties, required = [] }: MapSchema): Fields | null => {
      const known = Object.keys(properties);
      const node = file.resolve(part.node);
      if (!isMap(node)) return reader.report(part, problems.notMap);
      const fields = new Map<string, Part>();
      for (const { key, value } of node.items) {
        const name = String(isScalar(key) ? key.value : key);
        const field = {
          field: fieldIn(part, name),
          node: isNull(file.resolve(value)) ? null : value,
          parent: key,
        };
        if (!known.includes(name)) reader.report({ ...field, node: key }, problems.unknown(name, known));
        else if (fields.has(name)) reader.report({ ...field, node: key }, problems.repeated);
        else fields.set(name, field);
      }
      for (const name of required)
        if (isNull(fields.get(name)?.node ?? null))
          reader.report(
            { field: fieldIn(part, name), node: null, parent: fields.get(name)?.parent ?? node },
            problems.missing,
          );
      return new Map([...fields].filter(([, { node: given }]) => given !== null));
    },
    /** The items of a list. Null: it is not a list. */
    items: (part: Part): readonly Part[] | null => {
      const node = file.resolve(part.node);
      if (!isSeq(node)) return reader.report(part, problems.notList);
      return node.items.map((item, index) => ({
        field: `${part.field}[${index}]`,
        node: item,
        parent: part.parent,
      }));
    },
    isMap: (part: Part): boolean => isMap(file.resolve(part.node)),
    isList: (part: Part): boolean => isSeq(file.resolve(part.node)),
    /** The text of a part. Null: it is not text, or is empty. */
    text: (part: Part, problem: string = problems.notText): string | null => {
      const node = file.resolve(part.node);
      if (!isScalar(node) || typeof node.value !== 'string') return reader.report(part, problem);
      return node.value.trim() === '' ? reader.report(part, valueProblems.empty) : node.value;
    },
    /** A whole number within bounds. Null: it is not. */
    whole: (part: Part, least: number, most: number): number | null => {
      const node = file.resolve(part.node);
      const value = isScalar(node) ? node.value : null;
      return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : reader.report(part, problems.notWhole(least, most));
    },
  };
  return reader;
};

const isNull = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

const fieldIn = ({ field }: Part, name: string): string => (field === '' ? name : `${field}.${name}`);
