import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Json, JsonObject } from '../json/json.ts';
import { toPointer } from '../json/pointer.ts';
import { referenceProblems } from '../json-schema/refusals.ts';
import { resolve } from '../json-schema/schema.ts';
import { readSource } from './read-source.ts';
import { walkObjects } from './source-walk.ts';

/** Where a reference of a file leads: a reference by JSON pointer, or what is wrong. */
export type Target = { readonly reference: string } | { readonly problem: string };

/** A schema with an `$id`, or the whole file: what its references are relative to. */
export interface Resource {
  readonly url: URL;
  readonly path: readonly string[];
}

/** The names that a file gives to its schemas. */
interface FileIndex {
  readonly resources: ReadonlyMap<string, Resource>;
  /** By `URL#anchor`; a dynamic anchor is an anchor, too. */
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  readonly dynamic: ReadonlyMap<string, readonly (readonly string[])[]>;
}

const withoutFragment = (url: URL): string => url.href.split('#')[0] ?? '';

/** The resource that an object begins, or is in. */
export const resourceOf = (object: JsonObject, path: readonly string[], outer: Resource): Resource => {
  if (typeof object.$id !== 'string' || !URL.canParse(object.$id, outer.url.href)) return outer;
  return { url: new URL(object.$id, outer.url), path };
};

const indexOf = (root: Json, file: Resource): FileIndex => {
  const resources = new Map([[withoutFragment(file.url), file]]);
  const anchors = new Map<string, readonly string[]>();
  const dynamic = new Map<string, (readonly string[])[]>();
  walkObjects(root, file, (object, path, outer) => {
    const resource = resourceOf(object, path, outer);
    resources.set(withoutFragment(resource.url), resources.get(withoutFragment(resource.url)) ?? resource);
    for (const name of [object.$anchor, object.$dynamicAnchor])
      if (typeof name === 'string') anchors.set(`${withoutFragment(resource.url)}#${name}`, path);
    if (typeof object.$dynamicAnchor === 'string')
      dynamic.set(object.$dynamicAnchor, [...(dynamic.get(object.$dynamicAnchor) ?? []), path]);
    return resource;
  });
  return { resources, anchors, dynamic };
};

const canResolve = (reference: string, root: unknown): boolean => {
  try {
    resolve(reference, root);
    return true;
  } catch {
    return false;
  }
};

/** The references of one file: `$id`, `$anchor` and `$dynamicAnchor` become JSON pointers, and a broken one has its problem. */
export interface FileReferences {
  readonly file: Resource;
  /** The target of a `$ref` in a resource. */
  target(reference: string, from: Resource): Target;
  /** The target of a `$dynamicRef`, which must be the same wherever the schema is used. */
  dynamicTarget(reference: string, from: Resource): Target;
}

const ofOtherFile = (url: URL, reference: string): Target => {
  if (url.protocol !== 'file:') return { problem: referenceProblems.outside(reference) };
  const path = fileURLToPath(withoutFragment(url));
  if (!existsSync(path)) return { problem: referenceProblems.noFile(reference) };
  const isFound = url.hash === '' || !url.hash.startsWith('#/') || canResolve(url.hash, readSource(path));
  return isFound ? { reference } : { problem: referenceProblems.nowhere(reference) };
};

/** Reads the references of a file of a document. `path`: the file. */
export const referencesOf = (root: Json, path: string): FileReferences => {
  const file: Resource = { url: pathToFileURL(path), path: [] };
  const index = indexOf(root, file);
  const at = (pointer: string): Target => ({ reference: `#${pointer}` });

  const target = (reference: string, from: Resource): Target => {
    if (!URL.canParse(reference, from.url.href)) return { problem: referenceProblems.outside(reference) };
    const url = new URL(reference, from.url);
    const resource = index.resources.get(withoutFragment(url));
    if (resource === undefined) return ofOtherFile(url, reference);
    const fragment = reference.includes('#') ? reference.slice(reference.indexOf('#') + 1) : '';
    const anchor = index.anchors.get(`${withoutFragment(url)}#${fragment}`);
    if (anchor !== undefined) return at(toPointer(anchor));
    // Many authors give a schema an $id, and still write references from the beginning of the file.
    const pointers = [`${toPointer(resource.path)}${fragment}`, fragment];
    const found = pointers.find((pointer) => canResolve(`#${pointer}`, root));
    return found === undefined ? { problem: referenceProblems.nowhere(reference) } : at(found);
  };

  return {
    file,
    target,
    dynamicTarget: (reference, from) => {
      const named = index.dynamic.get(reference.slice(reference.indexOf('#') + 1)) ?? [];
      const initial = target(reference, from);
      const isDynamic =
        'reference' in initial && named.some((path) => initial.reference === `#${toPointer(path)}`);
      return isDynamic && named.length > 1 ? { problem: referenceProblems.dynamic(reference) } : initial;
    },
  };
};
