import type { ProblemText } from './define-problem.ts';
import type { Breach } from './finding.ts';
import { problemText } from './problem.ts';
import { inWords } from './words/requests.ts';

/** What is wrong with an exchange, in words. */
export const describe = ({ problem, exchange, probe, about }: Breach): ProblemText => {
  const request = inWords(probe ?? { request: exchange.request, label: '' });
  const response = `${exchange.response?.status} ${request}`;
  return problemText(problem, { exchange, probe, about, request, response });
};
