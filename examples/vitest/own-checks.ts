import { defineCheck, defineRequirement, fc, isJsonObject, listPets } from 'animal-store-conformance';

/** A promise of this server alone: the document leaves the order open. */
export const newestFirst = defineRequirement({
  id: 'SHOP-1',
  statement: 'GET /pets is sorted by id, newest first.',
});

const idsIn = (list: unknown): readonly bigint[] =>
  Array.isArray(list)
    ? list.flatMap((pet) => (isJsonObject(pet) && typeof pet.id === 'bigint' ? [pet.id] : []))
    : [];

export const listIsSorted = defineCheck({
  requirement: 'SHOP-1',
  title: 'GET /pets is sorted by id',
  arbitrary: ({ page }) => fc.integer({ min: page.minimum, max: page.maximum }),
  run: async (limit, context) => {
    const response = await context.send(listPets({ limit }));
    if (response.status !== 200) return context.inconclusive(`GET /pets returned ${response.status}`);
    const ids = idsIn(response.json);
    if (ids.length < 2) return context.inconclusive(`${ids.length} animals with an id: two show an order`);
    const at = ids.findIndex((id, index) => id > (ids[index - 1] ?? id));
    if (at < 0) return context.passed();
    context.breach({
      response,
      rule: 'not-sorted',
      message: `GET /pets with limit=${limit}: expected newest first, got id ${ids[at]} after id ${ids[at - 1]}`,
      expected: `an id below ${ids[at - 1]}`,
      actual: `${ids[at]}`,
    });
  },
});
