import type { ApiResponse, CheckContext } from '../../../src/check/index.ts';

type Observer = Pick<CheckContext, 'observe' | 'inconclusive'>;
type Response = Pick<ApiResponse, 'status'>;

/** Records the response to an unspecified input. A server error is not recorded: it fails GEN-4. */
export const observeResponse = (
  context: Observer,
  { status }: Response,
  requirement: string,
  subject: string,
  value = String(status),
): void => {
  if (status >= 500) context.inconclusive({ code: 'server-error', detail: 'status', status }, requirement);
  else context.observe(subject, value, requirement);
};

/** Records whether a creation is accepted. */
export const observeCreation = (context: Observer, response: Response, subject: string): void =>
  observeResponse(
    context,
    response,
    'CREATE-11',
    subject,
    response.status === 201 ? 'accepted' : String(response.status),
  );
