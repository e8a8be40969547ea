import { describe, expect, test } from 'vitest';
import { simplerTexts } from '../../../src/check/schemas.ts';
import { smallerInvalidTexts } from './invalid-query.ts';

const statuses = ['available', 'sold'];

const smallerOf = (text: string) => [
  ...smallerInvalidTexts('status', text, {
    isValid: (value) => statuses.includes(value),
    plainer: simplerTexts,
  }),
];

describe('smaller queries with a wrong parameter', () => {
  test('without another parameter, or with a simpler value', () => {
    const texts = smallerOf('status=gone%27&limit=5').map(({ text }) => text);
    expect(texts).toContain('status=gone%27');
    expect(texts).toContain('status=aaaaa&limit=5');
    expect(texts).not.toContain('limit=5');
    expect(texts).not.toContain('status=gone%27&limit=a');
  });

  test('never valid', () => {
    expect(smallerOf('status=sold&status=sold').map(({ text }) => text)).not.toContain('status=sold');
    expect(smallerOf('status=soldx').map(({ text }) => text)).not.toContain('status=sold');
  });

  test('none for a single wrong letter', () => {
    expect(smallerOf('status=a')).toEqual([]);
  });

  test('label: decoded text, or the length of a long value', () => {
    const labels = new Map(
      smallerOf(`status=%F0%9F%90%88${'s'.repeat(99)}`).map((smaller) => [smaller.text, smaller.label]),
    );
    expect(labels.get(`status=${'a'.repeat(100)}`)).toBe('100 characters');
    expect(smallerOf('status=%27%F0%9F%90%88')).toContainEqual({
      text: 'status=%F0%9F%90%88',
      label: 'status=\u{1f408}',
    });
    expect(smallerOf('status=ab')).toContainEqual({ text: 'status=a', label: '' });
  });
});
