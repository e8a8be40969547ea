import { invalidObjects } from './invalid.ts';
import { differences } from './relations.ts';
import { createIn, readNow, sendTo } from './resources.ts';
import { isInvalid, shownIn } from './responses.ts';
import { breachValue, type Scenario } from './scenario.ts';

const mostRefused = 3;

/** RES-8: a refused update leaves the resource as it was. */
export const refusesWithoutEffect: Scenario = async (collection, tested) => {
  for (const exercised of tested) {
    const created = await createIn(collection);
    const was = shownIn(await readNow(collection, created.found));
    if (was === null) return;
    for (const { json, label } of invalidObjects(exercised).slice(0, mostRefused)) {
      const invalid = { body: { json }, label, inputSpace: 'undocumented' } as const;
      const refused = await sendTo(collection, exercised, created.found, invalid);
      if (!isInvalid(refused)) continue;
      const after = await readNow(collection, created.found);
      const now = shownIn(after);
      const [member] = now === null ? [] : differences(was, now).filter((name) => name in created.sent);
      if (after !== null && now !== null && member !== undefined) {
        const value = { member, expected: was[member], got: now[member] };
        return breachValue(collection, 'refusal', after, value, created);
      }
      collection.context.passed();
    }
  }
};
