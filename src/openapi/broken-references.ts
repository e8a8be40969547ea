import { follow, isSchemaObject, type SchemaObject } from '../json-schema/schema.ts';
import { memoized } from '../util/memoize.ts';
import { brokenReference } from './prepare-source.ts';

/** The problem of the first reference that leads nowhere, in parts of the document or in what they refer to; null: there is none. */
export function brokenWithin(parts: readonly unknown[], root: SchemaObject): string | null {
  const sound = soundParts(root);
  const visited = new Set<object>();
  const search = (part: unknown): string | null => {
    if (typeof part !== 'object' || part === null || visited.has(part) || sound.has(part)) return null;
    visited.add(part);
    const members: readonly unknown[] =
      isSchemaObject(part) && typeof part.$ref === 'string' ? [part, follow(part, root)] : [part];
    for (const each of members.flatMap((member) => (isSchemaObject(member) ? [member] : []))) {
      const broken = brokenReference(each);
      if (broken !== null) return broken;
    }
    for (const each of [...members.slice(1), ...Object.values(part)]) {
      const broken = search(each);
      if (broken !== null) return broken;
    }
    return null;
  };
  const problem = search(parts);
  if (problem === null) for (const part of visited) sound.add(part);
  return problem;
}

/** Parts of a document without broken references. Operations share them. */
const soundParts = memoized((_root: SchemaObject) => new WeakSet<object>());
