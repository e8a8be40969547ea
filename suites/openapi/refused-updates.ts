import { invalidObjects } from './invalid.ts';
import { differences } from './relations.ts';
import { resourceIn } from './resource-shapes.ts';
import { createIn, isSuccess, parentOf, readNow, sendTo } from './resources.ts';
import { breachValue, type Scenario } from './scenario.ts';

/** RES-8: a refused update leaves the resource as it was. */
export const refusesWithoutEffect: Scenario = async (workshop, collection, context) => {
  const found = await parentOf(workshop, collection, context);
  for (const operation of [collection.replace, collection.change]) {
    const exercised = workshop.exercisedAs(operation);
    if (exercised === null) continue;
    const created = await createIn(workshop, collection, context, { found });
    const before = await readNow(workshop, collection, created.found, context);
    const was = resourceIn(before?.json);
    if (before === null || !isSuccess(before) || was === null) return;
    for (const { json, label } of invalidObjects(exercised).slice(0, mostRefused)) {
      const response = await sendTo(
        exercised,
        created.found,
        { body: { json }, label },
        context,
        'undocumented',
      );
      if (response.status !== 400 && response.status !== 422) continue;
      const after = await readNow(workshop, collection, created.found, context);
      const shown = resourceIn(after?.json);
      const [member] = shown === null ? [] : differences(was, shown).filter((name) => name in created.sent);
      if (after !== null && isSuccess(after) && shown !== null && member !== undefined)
        return breachValue(
          context,
          'RES-8',
          'refusal',
          after,
          { member, expected: was[member], got: shown[member] },
          created,
        );
      context.passed('RES-8');
    }
  }
};

const mostRefused = 3;
