import { basename, relative } from 'node:path';
import { quoteIfNeeded } from '../report/text/shell.ts';

/** How this process was started. */
interface Start {
  /** The path of the script, `process.argv[1]`. */
  readonly script: string;
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const name = 'animal-store-conformance';

/** Returns the words that start a command in the same way: `npm start --`, `npx animal-store-conformance run`, `node bin/… judge`. */
export const startCommand = ({ script, directory, env }: Start, command = 'run'): string => {
  if (command === 'run' && env.npm_lifecycle_event === 'start' && env.npm_package_name === name)
    return 'npm start --';
  if (script.includes('/node_modules/.bin/') || env.npm_command === 'exec') return `npx ${name} ${command}`;
  if (!script.endsWith('.js')) return `${basename(script) || name} ${command}`;
  const path = relative(directory, script);
  return `node ${quoteIfNeeded(path.startsWith('..') ? script : path)} ${command}`;
};
