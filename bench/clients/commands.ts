import { join } from 'node:path';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { realClients } from './clients.ts';

/** A client that can be started: its name, the library and configuration for the table, and the words of its command. */
export interface ClientCommand {
  readonly name: string;
  readonly library: string;
  readonly configuration: string;
  readonly words: readonly string[];
}

const folder = join(packageRoot(), 'bench', 'clients');

const inNode = Object.entries(realClients).map(
  ([name, { library, configuration }]): ClientCommand => ({
    ...{ name, library, configuration },
    words: [process.execPath, join(folder, 'clients.ts'), name],
  }),
);

/** Six requests, one after the other, until one fails. */
const withCurl = (name: string, configuration: string, flags: string): ClientCommand => ({
  ...{ name, library: 'curl', configuration },
  words: [
    'sh',
    '-c',
    `for _ in 1 2 3 4 5 6; do curl -sS --fail ${flags} -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" "$ANIMAL_STORE_BASE_URL/pets?limit=5" || exit; done`,
  ],
});

const withPython = (name: string, library: string, configuration: string): ClientCommand => ({
  ...{ name, library, configuration },
  words: [process.env.PYTHON ?? 'python3', join(folder, 'clients.py'), name],
});

/** Every client of the table. Those of other languages need curl, and Python with urllib3, requests, and tenacity. */
export const clientCommands: readonly ClientCommand[] = [
  ...inNode,
  withCurl('curl-default', 'defaults', ''),
  withCurl('curl-six', '`--retry 6`', '--retry 6'),
  withCurl('curl-three', '`--retry 3`', '--retry 3'),
  withPython('urllib3-default', 'urllib3', 'defaults'),
  withPython(
    'urllib3-best',
    'urllib3',
    'a `Retry` whose `sleep` waits Retry-After + 1, 2, 4, … s; waits for Reset if Remaining is 0',
  ),
  withPython('requests-three', 'requests', '`HTTPAdapter(max_retries=Retry(3, status_forcelist=[429]))`'),
  withPython('tenacity-exponential', 'tenacity with urllib3', '`wait_exponential()`'),
  withPython(
    'tenacity-best',
    'tenacity with urllib3',
    'a `wait` that returns Retry-After + 1, 2, 4, … s; waits for Reset if Remaining is 0',
  ),
];
