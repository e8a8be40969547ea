import AllureReporter from 'allure-vitest/reporter';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { reasonLabel } from '../../src/vitest/allure.ts';

interface Result {
  labels: { name: string; value?: string }[];
  statusDetails: { message?: string };
}

/** Moves the reason of a skipped test from a label to the message, which the Allure reporter does not set. */
const moveReason = (result: Result): void => {
  const reason = result.labels.find(({ name }) => name === reasonLabel)?.value;
  if (reason === undefined) return;
  result.labels = result.labels.filter(({ name }) => name !== reasonLabel);
  result.statusDetails = { ...result.statusDetails, message: reason };
};

const categories = [
  { name: 'Requirement failed', matchedStatuses: ['failed', 'broken'] },
  { name: 'Needs a setting', matchedStatuses: ['skipped'], messageRegex: '.*(Needs --|set --).*' },
  { name: 'No clear result', matchedStatuses: ['skipped'] },
];

/** Writes Allure results for one project only, because all projects share reporters. */
export const allureFor = (project: string, resultsDir: string): Reporter => {
  const reporter = new AllureReporter({
    resultsDir,
    reportMatchers: false,
    categories,
    listeners: [{ beforeTestResultWrite: moveReason }],
  } as never);
  let isOn = false;
  return {
    onInit: (vitest: Vitest) => {
      const projects = vitest.projects.filter(({ name }) => name === project);
      isOn = projects.length > 0;
      if (isOn) reporter.onInit({ ...vitest, projects } as never);
    },
    onTestRunEnd: (modules: readonly TestModule[]) => {
      const own = modules.filter((module) => module.project.name === project);
      if (isOn && own.length > 0) reporter.onTestRunEnd(own as never);
    },
  };
};
