import type { Operation, Parameter } from '../../src/check/document.ts';
import type { CheckContext } from '../../src/check/index.ts';
import type { Found } from './existing.ts';
import { type OperationUnderTest, operationAt } from './operations.ts';
import { type GeneratedRequest, keyOf, toProbe } from './request.ts';
import { plain } from './valid.ts';

/** The parameter for the header If-Match; undefined: the operation has none. */
export const ifMatchOf = ({ parameters }: Operation): Parameter | undefined =>
  parameters.find(({ in: place, name }) => place === 'header' && name.toLowerCase() === 'if-match');

/** The request with the entity tag that its resource has now, if the operation requires one and the case is not about it. */
export const withCurrentTag = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  context: CheckContext,
  found: Found | null,
): Promise<GeneratedRequest> => {
  const { document, operation } = exercised;
  const header = ifMatchOf(operation);
  const read = operationAt(document, 'GET', operation.path);
  if (header?.required !== true || read === null || found === null) return sending;
  const key = keyOf(header);
  if (sending.texts[key] !== undefined || sending.values[key] !== plain(exercised).values[key])
    return sending;
  const reading = { ...exercised, operation: read };
  const request = { ...plain(reading), body: null };
  const response = await context.send({
    ...toProbe(reading, request, { inputSpace: 'documented', found }),
    guessed: true,
  });
  const [tag] = response.header('etag');
  return tag === undefined ? sending : { ...sending, texts: { ...sending.texts, [key]: tag } };
};
