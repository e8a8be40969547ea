import { sameJson } from '../../src/check/json.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { ifMatchOf } from './current-headers.ts';
import { keyOf } from './request.ts';
import { createIn, ordinaryFor, readNow, sendTo } from './resources.ts';
import { isSuccess } from './responses.ts';
import { breachStatus, documents, momentMs, type Scenario } from './scenario.ts';

const otherTag = '"no-such-tag"';

/** RES-12: the document has If-Match and 412, so another entity tag gets 412. The right one first shows that the request is fine. */
export const checksPreconditions: Scenario = async (collection, tested) => {
  const { context, document } = collection;
  for (const exercised of tested) {
    const { operation } = exercised;
    const header = ifMatchOf(operation);
    if (header === undefined || !documents(operation, 412)) continue;
    const { found, response: creation } = await createIn(collection);
    const read = await readNow(collection, found);
    const [tag] = read?.header('etag') ?? [];
    if (tag === undefined || !acceptedBy(header.schema, document.root)(otherTag)) continue;
    const resource = await ordinaryFor(collection, exercised, found);
    const tagNow = async () => (await readNow(collection, found))?.header('etag')[0];
    /** The tag may be one of a moment ago, or of each response. */
    const isCurrent = async (value: string) => {
      const before = await tagNow();
      await context.sleep(momentMs);
      return before === value && (await tagNow()) === value;
    };
    const send = (value: string) => {
      const texts = { [keyOf(header)]: value };
      return sendTo(collection, exercised, found, { resource, texts });
    };
    const accepts = { expected: ['2xx'], origin: [creation] } as const;
    const refuses = { expected: [412], origin: [creation] };
    const refused = await send(otherTag);
    if (isSuccess(refused)) return breachStatus(collection, 'wrong If-Match', refused, refuses);
    if (refused.status !== 412) continue;
    // A weak tag never matches (RFC 9110, 13.1.1).
    if (tag.startsWith('W/')) continue;
    // A tag may be made of seconds.
    await context.sleep(momentMs);
    const accepted = await send(tag);
    if (accepted.status === 412 && (await isCurrent(tag)))
      return breachStatus(collection, 'right If-Match', accepted, accepts);
    if (!isSuccess(accepted)) continue;
    context.passed();
    if (operation.method === 'DELETE') continue;
    const later = await readNow(collection, found);
    const isOther = later !== null && isSuccess(later) && !sameJson(later.json ?? null, read?.json ?? null);
    const stale = isOther ? await send(tag) : null;
    if (stale !== null && isSuccess(stale)) return breachStatus(collection, 'wrong If-Match', stale, refuses);
    const next = await tagNow();
    const again = next === undefined ? null : await send(next);
    if (next !== undefined && again?.status === 412 && (await isCurrent(next)))
      return breachStatus(collection, 'right If-Match', again, accepts);
  }
};
