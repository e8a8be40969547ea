import { bodyCrashFaults } from './gen-bodies.ts';
import { connectionFaults } from './gen-connections.ts';
import { contentFaults } from './gen-content.ts';
import { frontFaults } from './gen-front.ts';
import { mediaFaults } from './gen-media.ts';
import { messageFaults } from './gen-messages.ts';
import { methodCrashFaults } from './gen-methods.ts';
import { parameterCrashFaults } from './gen-parameters.ts';
import { shapeFaults } from './gen-shape.ts';
import { statusFaults } from './gen-status.ts';

/** Mistakes that any response may show. */
export const generalFaults = [
  ...statusFaults,
  ...mediaFaults,
  ...shapeFaults,
  ...parameterCrashFaults,
  ...bodyCrashFaults,
  ...methodCrashFaults,
  ...connectionFaults,
  ...contentFaults,
  ...frontFaults,
  ...messageFaults,
];
