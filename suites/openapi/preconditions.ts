import { sameJson } from '../../src/check/json.ts';
import { compileSchema } from '../../src/check/schemas.ts';
import { ifMatchOf } from './current-headers.ts';
import { keyOf } from './request.ts';
import { createIn, isSuccess, ordinaryFor, parentOf, readNow, sendResource, sendTo } from './resources.ts';
import { breachStatus, documents, momentMs, type Scenario } from './scenario.ts';
import { plain } from './valid.ts';

const otherTag = '"no-such-tag"';

/** RES-12: the document has If-Match and 412, so another entity tag gets 412. The right one first shows that the request is fine. */
export const checksPreconditions: Scenario = async (workshop, collection, context) => {
  const found = await parentOf(workshop, collection, context);
  for (const operation of [collection.replace, collection.change, collection.remove]) {
    const exercised = workshop.exercisedAs(operation);
    const header = operation === null ? undefined : ifMatchOf(operation);
    if (exercised === null || operation === null || header === undefined || !documents(operation, 412))
      continue;
    const created = await createIn(workshop, collection, context, { found });
    const read = await readNow(workshop, collection, created.found, context);
    const [tag] = read?.header('etag') ?? [];
    const accepts = compileSchema(header.schema, workshop.document.root);
    if (tag === undefined || accepts(otherTag).length > 0) continue;
    const json = await ordinaryFor(workshop, exercised, created.found, context);
    const tagNow = async () =>
      (await readNow(workshop, collection, created.found, context))?.header('etag')[0];
    /** The tag may be one of a moment ago, or of each response. */
    const isCurrent = async (value: string) => {
      const before = await tagNow();
      await context.sleep(momentMs);
      return before === value && (await tagNow()) === value;
    };
    const send = (value: string) => {
      const texts = { ...plain(exercised).texts, [keyOf(header)]: value };
      return json === null
        ? sendTo(exercised, created.found, { body: null, texts }, context)
        : sendResource(workshop, exercised, created.found, json, context, { texts });
    };
    const origin = [created.response];
    const refused = await send(otherTag);
    if (isSuccess(refused))
      return breachStatus(context, 'RES-12', 'wrong If-Match', refused, { expected: [412], origin });
    if (refused.status !== 412) continue;
    // A weak tag never matches (RFC 9110, 13.1.1).
    if (tag.startsWith('W/')) continue;
    // A tag may be made of seconds.
    await context.sleep(momentMs);
    const accepted = await send(tag);
    if (accepted.status === 412 && (await isCurrent(tag)))
      return breachStatus(context, 'RES-12', 'right If-Match', accepted, { expected: ['2xx'], origin });
    if (!isSuccess(accepted)) continue;
    context.passed('RES-12');
    if (operation === collection.remove) continue;
    const later = await readNow(workshop, collection, created.found, context);
    const isOther = later !== null && isSuccess(later) && !sameJson(later.json ?? null, read?.json ?? null);
    const stale = isOther ? await send(tag) : null;
    if (stale !== null && isSuccess(stale))
      return breachStatus(context, 'RES-12', 'wrong If-Match', stale, { expected: [412], origin });
    const next = await tagNow();
    const again = next === undefined ? null : await send(next);
    if (next !== undefined && again?.status === 412 && (await isCurrent(next)))
      return breachStatus(context, 'RES-12', 'right If-Match', again, { expected: ['2xx'], origin });
  }
};
