import { core, type Inputs, type Json, type RunContext, smoke } from '../../../src/check/index.ts';
import { mapInputs } from '../../../src/check/tiers.ts';
import type { InvalidBody } from './invalid-body.ts';
import { namePlaceholder, plainBody } from './invalid-new-pet.ts';

/** Empty values, properties of every object, and words that a pet store may know. */
const invalidStatuses: Inputs<string> = [
  ...[core(''), ' ', core('constructor'), '__proto__', 'null', core('0')],
  ...['unknown', 'reserved'],
];

/** Letters that Unicode normalization turns into ASCII. */
const inFullWidth = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x61 + 0xff41));

/** A label, a body, and the query. */
type Mistake = readonly [label: string, value: Json, query?: string];

/** Mistakes of real servers that the schema does not suggest: nested values, other spellings of names. */
export const realWorldMistakes =
  (requirement: 'CREATE-5' | 'CREATE-6') =>
  (run: RunContext): Inputs<InvalidBody> => {
    const valid = plainBody;
    const name = namePlaceholder;
    const categoryId = run.categories[0]?.id ?? 1n;
    const status = run.statuses[0] ?? 'available';
    const under: Record<typeof requirement, Inputs<Mistake>> = {
      'CREATE-5': [
        smoke(['empty object', {}]),
        core([
          'name in the query, and under other names in the body',
          { categoryId, names: name, Name: name, title: name, petName: name, pet_name: name },
          `name=${run.namePrefix}query`,
        ]),
        core([
          'CATEGORYID and category, no categoryId',
          { name, CATEGORYID: categoryId, category: categoryId },
        ]),
        [
          'category_id, category.id, categoryId in the query',
          { name, category_id: categoryId, category: { id: categoryId } },
          `categoryId=${categoryId}`,
        ],
        core(['NewPet inside an envelope (pet, data)', { pet: valid, data: valid }]),
      ],
      'CREATE-6': [
        core(['status: array with one status', { ...valid, status: [status] }]),
        core(['categoryId: array with one integer', { ...valid, categoryId: [categoryId] }]),
        core(['name: array with one string', { ...valid, name: [name] }]),
        smoke(['categoryId: float close to an integer', { ...valid, categoryId: 1.0000000001 }]),
        [
          'categoryId: string of digits, letters, and quotes',
          { ...valid, categoryId: `${categoryId}abc"\\"` },
        ],
        smoke(['categoryId: integer as string', { ...valid, categoryId: String(categoryId) }]),
        ['categoryId: negative integer as string', { ...valid, categoryId: '-1' }],
        ['categoryId: integer as string, leading space', { ...valid, categoryId: ` ${categoryId}` }],
        core(['categoryId: integer inside an object', { ...valid, categoryId: { id: categoryId } }]),
        core(['categoryId: 1e30 (beyond int64)', { ...valid, categoryId: 1e30 }]),
        ['categoryId: hexadecimal string', { ...valid, categoryId: `0x${categoryId.toString(16)}` }],
        ...mapInputs(
          [
            ...invalidStatuses,
            inFullWidth(status),
            `${run.statuses.at(-1) ?? status}s`,
            `${status},${status}`,
            core(`${status}\n`),
            core(`${status}\0`),
          ],
          (other): Mistake => [`status: ${JSON.stringify(other)}`, { ...valid, status: other }],
        ),
        core(['all values invalid', { name: 7n, categoryId: 'x', status: 'gone' }]),
        core([
          'categoryId: integer above 2^53 as string, with status',
          { ...valid, categoryId: '9007199254740993', status },
        ]),
        smoke(['name: null, without status', { ...valid, name: null }]),
      ],
    };
    return mapInputs(under[requirement], ([label, value, query]) => ({
      label,
      value,
      ...(query === undefined ? {} : { query }),
    }));
  };
