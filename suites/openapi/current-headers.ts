import type { Operation, Parameter } from '../../src/check/document.ts';
import type { CheckContext } from '../../src/check/index.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import type { Found } from './existing.ts';
import { nextTurn } from './localize.ts';
import { hasPathParameters, type OperationUnderTest, operationAt } from './operations.ts';
import { slotFor } from './ordinary.ts';
import { type GeneratedRequest, keyOf, toProbe } from './request.ts';
import { plain } from './valid.ts';

/** The parameter for the header If-Match; undefined: the operation has none. */
export const ifMatchOf = ({ parameters }: Operation): Parameter | undefined =>
  parameters.find(({ in: place, name }) => place === 'header' && name.toLowerCase() === 'if-match');

/** The request with a new value of `Idempotency-Key`: with an old one, a server repeats its earlier response. */
const withNewKey = (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  context: CheckContext,
): GeneratedRequest => {
  const header = exercised.operation.parameters.find(
    ({ in: place, name }) => place === 'header' && /^(x-)?idempotency-?key$/i.test(name),
  );
  const key = header === undefined ? '' : keyOf(header);
  const usual = plain(exercised).values[key];
  if (header === undefined || usual === undefined || sending.values[key] !== usual) return sending;
  const value = slotFor(header.schema, exercised.document.root)?.make(nextTurn(context));
  const text = typeof value === 'string' ? value.replaceAll(/[^!-~]/g, '-') : undefined;
  const isValid = acceptedBy(header.schema, exercised.document.root)(text ?? null);
  return text === undefined || !isValid || sending.texts[key] !== undefined
    ? sending
    : { ...sending, texts: { ...sending.texts, [key]: text } };
};

/** The request with headers that depend on when it is sent. */
export const withCurrentHeaders = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  context: CheckContext,
  found: Found | null,
): Promise<GeneratedRequest> =>
  withNewKey(exercised, await withCurrentTag(exercised, sending, context, found), context);

/** The request with the entity tag that its resource has now, if the operation requires one and the case is not about it. */
const withCurrentTag = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  context: CheckContext,
  found: Found | null,
): Promise<GeneratedRequest> => {
  const { document, operation } = exercised;
  const header = ifMatchOf(operation);
  const read = operationAt(document, 'GET', operation.path);
  const place = found ?? (hasPathParameters(operation) ? null : {});
  if (header?.required !== true || read === null || place === null) return sending;
  const key = keyOf(header);
  if (sending.texts[key] !== undefined || sending.values[key] !== plain(exercised).values[key])
    return sending;
  const reading = { ...exercised, operation: read };
  const request = { ...plain(reading), body: null };
  const response = await context.send({
    ...toProbe(reading, request, { found: place }),
    guessed: true,
  });
  const [tag] = response.header('etag');
  return tag === undefined ? sending : { ...sending, texts: { ...sending.texts, [key]: tag } };
};
