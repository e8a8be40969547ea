import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';

type Observer = Pick<CaseContext, 'observe' | 'undecided'>;
type Answered = Pick<Reading, 'status'>;

/** Observes how what the document leaves open is answered. A failure of the server is no choice that it makes: GEN-4 tells of it. */
export const observeAnswer = (
  context: Observer,
  { status }: Answered,
  requirement: string,
  subject: string,
  value = String(status),
): void => {
  if (status >= 500) context.undecided(requirement, `the server fails: it answers ${status}`);
  else context.observe(requirement, subject, value);
};

/** Observes whether a creation is accepted. */
export const observeCreation = (context: Observer, answered: Answered, subject: string): void =>
  observeAnswer(
    context,
    answered,
    'CREATE-11',
    subject,
    answered.status === 201 ? 'accepted' : `answered with ${answered.status}`,
  );
