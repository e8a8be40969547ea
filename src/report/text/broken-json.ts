import { excerpt, splitSafe } from '../../json/excerpt.ts';
import type { BrokenBody } from '../../oracle/problems/body.ts';

const around = ({ near, at }: BrokenBody, before: number, length: number): string => {
  const from = splitSafe(near, Math.max(0, at - before));
  return `${from > 0 ? '…' : ''}${excerpt(near.slice(from), length)}`;
};

/** Why a body is not JSON, and where: `expected ",", got "c" at character 20: …"name":""conf…`. */
export const jsonErrorText = (body: BrokenBody): string =>
  body.character === null ? body.why : `${body.why} at character ${body.character}: ${around(body, 20, 40)}`;

/** The part of a body that breaks the grammar. */
export const excerptAt = (body: BrokenBody): string => around(body, 60, 120);

/** What begins like JSON was meant to be it. */
export const looksLikeJson = ({ start }: BrokenBody): boolean => /^\s*[[{"]/.test(start);
