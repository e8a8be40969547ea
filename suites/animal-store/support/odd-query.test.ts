import { describe, expect, test } from 'vitest';
import { simplerTexts } from '../../../src/check/schemas.ts';
import { smallerOddTexts } from './odd-query.ts';

const statuses = ['available', 'sold'];

const smallerOf = (text: string) => [
  ...smallerOddTexts('status', text, {
    isValid: (value) => statuses.includes(value),
    plainer: simplerTexts,
  }),
];

describe('of a query in which something is wrong with a parameter', () => {
  test('some are the same without another parameter, or with a plainer value', () => {
    const texts = smallerOf('status=gone%27&limit=5').map(({ text }) => text);
    expect(texts).toContain('status=gone%27');
    expect(texts).toContain('status=aaaaa&limit=5');
    expect(texts).not.toContain('limit=5');
    expect(texts).not.toContain('status=gone%27&limit=a');
  });

  test('none has nothing wrong with it', () => {
    expect(smallerOf('status=sold&status=sold').map(({ text }) => text)).not.toContain('status=sold');
    expect(smallerOf('status=soldx').map(({ text }) => text)).not.toContain('status=sold');
  });

  test('none is left where one plain letter is wrong', () => {
    expect(smallerOf('status=a')).toEqual([]);
  });

  test('what is encoded is said, and so is a length that nobody counts', () => {
    const labels = new Map(
      smallerOf(`status=%F0%9F%90%88${'s'.repeat(99)}`).map((odd) => [odd.text, odd.label]),
    );
    expect(labels.get(`status=${'a'.repeat(100)}`)).toBe('100 characters');
    expect(smallerOf('status=%27%F0%9F%90%88')).toContainEqual({
      text: 'status=%F0%9F%90%88',
      label: 'status=\u{1f408}',
    });
    expect(smallerOf('status=ab')).toContainEqual({ text: 'status=a', label: '' });
  });
});
