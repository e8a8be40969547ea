import type { Json } from '../../json/json.ts';
import type { Flat, Kind } from '../flatten.ts';

/** What a careless comparison takes for a listed value, and other values of the types that a place allows. */
export function nearMisses(listed: readonly Json[], flat: Flat): readonly Json[] {
  const like = listed.flatMap((value): readonly Json[] => {
    if (typeof value === 'string') return likeText(value);
    return typeof value === 'bigint' ? [value + 1n, value - 1n, -value] : [];
  });
  const others: readonly Json[] = ['', 'unknown', 'null', 0n, 0.5, true, false, null, [], {}];
  const listedKinds = new Set(listed.map(kindOf));
  const allowed = [...like, ...others].filter((value) => flat.kinds.has(kindOf(value)));
  return [...new Set([...allowed.filter((value) => listedKinds.has(kindOf(value))), ...allowed])];
}

const likeText = (text: string): readonly string[] => [
  text.toUpperCase(),
  text.charAt(0).toUpperCase() + text.slice(1),
  ` ${text}`,
  `${text} `,
  text.charAt(0) + text.slice(1).toUpperCase(),
  text.slice(0, -1),
  `${text}s`,
  `"${text}"`,
];

const kindOf = (value: Json): Kind => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'bigint':
      return 'integer';
    case 'number':
      return 'fraction';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    default:
      return 'object';
  }
};
