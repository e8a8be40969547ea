import type { Json } from './json.ts';
import { parseJson } from './parse.ts';

/** The value of a JSON text. */
export const readJson = (text: string): Json => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.problem.code);
  return parsed.value;
};
