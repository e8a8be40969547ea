import type { Breach } from '../../oracle/finding.ts';
import type { Problem, ProblemOf, RuleCode } from '../../oracle/problem.ts';
import { animalTexts } from './animals.ts';
import { bodyTexts } from './body.ts';
import { headerTexts } from './headers.ts';
import { listTexts } from './lists.ts';
import { limitTexts } from './rate-limit.ts';
import { inWords } from './requests.ts';
import { statusTexts } from './status.ts';
import type { Seen, Texts } from './texts.ts';
import type { ProblemText } from './words.ts';

const texts: Texts<Problem> = {
  ...statusTexts,
  ...bodyTexts,
  ...animalTexts,
  ...listTexts,
  ...headerTexts,
  ...limitTexts,
  'own-check': ({ message, expected, actual }) => ({ message, expected, actual }),
};

const textOf = <R extends RuleCode>(rule: R, problem: ProblemOf<R>, seen: Seen): ProblemText =>
  texts[rule](problem, seen);

/** What is wrong with an exchange, in words. */
export const describe = ({ problem, exchange, probe, about }: Breach): ProblemText => {
  const request = inWords(probe ?? { request: exchange.request, label: '' });
  const response = `${exchange.response?.status} ${request}`;
  return textOf(problem.rule, problem, { exchange, probe, about, request, response });
};
