import { expect, test } from 'vitest';
import { readingOf } from '../../test/support/judging.ts';
import { listPets } from '../run/probes.ts';
import { brokenPart, looksLikeJson, whyBroken } from './broken.ts';

const unreadable = (body: string | Uint8Array) => {
  const { body: read } = readingOf(listPets({}), { body });
  if (read.kind !== 'unreadable') throw new Error('it is readable');
  return read;
};

test('what breaks the grammar is told with its place, counted in characters', () => {
  expect(whyBroken(unreadable('{"name":"\u{1f408}""}'))).toBe(
    'expected "," or "}", got "\\"" at character 12: {"name":"\u{1f408}""}',
  );
});

test('of a long text what stands around the place is shown', () => {
  const body = unreadable(`[${'{"name":"Rex"},'.repeat(50)}{"name":""Max"}]`);
  expect(whyBroken(body)).toBe('expected "," or "}", got "M" at character 762: …e":"Rex"},{"name":""Max"}]');
  expect(brokenPart(body)).toMatch(/^….{60}Max"}\]$/);
});

test('what is broken before the grammar has no place', () => {
  expect(whyBroken(unreadable(Uint8Array.of(0x5b, 0x22, 0xc3, 0x22, 0x5d)))).toBe('it holds invalid UTF-8');
});

test('a page is no broken JSON', () => {
  expect(looksLikeJson(unreadable(' [1,'))).toBe(true);
  expect(looksLikeJson(unreadable('<h1>Oops</h1>'))).toBe(false);
});
