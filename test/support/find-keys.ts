import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A key that was found, with its file and its encodings. */
export interface FoundKey {
  readonly file: string;
  readonly key: string;
  /** `base64 > gzip > …`; empty: not encoded. */
  readonly under: string;
}

/** Deeper than any nesting in reports. */
const DEEPEST = 5;
const SHORTEST_BASE64 = 12;
const SHIFTED = 'base64, shifted';

interface Layer {
  readonly name: string;
  readonly content: Buffer;
}

const character = (hex: string): string => {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
};

const unescaped = (text: string): string =>
  text.replace(/\\u\{?([0-9a-f]{4,6})\}?/gi, (_, hex: string) => character(hex));

const withoutEntities = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => character(hex))
    .replace(/&#(\d+);/g, (_, decimal: string) => character(Number(decimal).toString(16)));

const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll('%', ''), 'hex').toString('latin1'),
  );

const isZipped = (content: Buffer): boolean => content[0] === 0x1f && content[1] === 0x8b;

const unzipped = (content: Buffer): readonly Layer[] => {
  if (!isZipped(content)) return [];
  try {
    return [{ name: 'gzip', content: gunzipSync(content) }];
  } catch {
    return [];
  }
};

/** Every run of base64, decoded at each of the four offsets at which it may start. Zipped content is separate, to be unzipped. */
const base64Layers = (text: string): readonly Layer[] => {
  const runs = text.match(new RegExp(`[A-Za-z0-9+/_-]{${SHORTEST_BASE64},}`, 'g')) ?? [];
  const [first = [], ...shifted] = [0, 1, 2, 3].map((start) =>
    runs.map((run) => Buffer.from(run.slice(start), 'base64')),
  );
  const joined = (parts: readonly Buffer[]) =>
    Buffer.from(parts.map((part) => part.toString('latin1')).join('\n'), 'latin1');
  return [
    ...first.filter(isZipped).map((content) => ({ name: 'base64', content })),
    { name: 'base64', content: joined(first.filter((part) => !isZipped(part))) },
    ...shifted.map((parts) => ({ name: SHIFTED, content: joined(parts) })),
  ];
};

const layersOf = (content: Buffer): readonly Layer[] => {
  const zipped = unzipped(content);
  if (zipped.length > 0) return zipped;
  const text = content.toString('utf8');
  const plain = percentDecoded(withoutEntities(unescaped(text)));
  return [
    ...(plain === text ? [] : [{ name: 'escapes', content: Buffer.from(plain) }]),
    ...base64Layers(text),
  ];
};

const digest = (content: Buffer): string => createHash('sha1').update(content).digest('base64');

const search = (
  content: Buffer,
  keys: readonly string[],
  under: readonly string[],
  seen: Set<string>,
): readonly Omit<FoundKey, 'file'>[] => {
  const id = digest(content);
  if (seen.has(id) || under.length > DEEPEST) return [];
  seen.add(id);
  return [
    ...keys.filter((key) => content.includes(key)).map((key) => ({ key, under: under.join(' > ') })),
    // Content at a wrong offset is only searched, and not decoded further.
    ...(under.at(-1) === SHIFTED ? [] : layersOf(content)).flatMap((inner) =>
      search(inner.content, keys, [...under, inner.name], seen),
    ),
  ];
};

/** Searches a content for keys: plain, in base64, zipped, escaped as in JSON, HTML, or a URL, and nested. */
export const findKeysIn = (content: Buffer, keys: readonly string[]): readonly Omit<FoundKey, 'file'>[] =>
  search(content, keys, [], new Set());

/** Searches every file of a folder for keys, as `findKeysIn` does. */
export const findKeys = async (folder: string, keys: readonly string[]): Promise<readonly FoundKey[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) =>
      findKeysIn(await readFile(file), keys).map((place) => ({ file: relative(folder, file), ...place })),
    ),
  );
  return found.flat();
};
