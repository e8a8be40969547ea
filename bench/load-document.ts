// Reads a document and makes the first values of each operation, and prints the CPU time in ms and the memory in bytes.

import { permissionsOf } from '../src/check/permissions.ts';
import { resolveSettings } from '../src/config/resolve.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { loadDocument } from '../src/openapi/load.ts';
import { suite } from '../suites/index.ts';

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const [file = ''] = process.argv.slice(2);
const document = await loadDocument(file);
const loaded = cpu();
const flags = { baseUrl: 'http://127.0.0.1', apiKey: 'key-of-the-bench', spec: file };
const resolved = resolveSettings({ flags, env: {}, file: [], requirements: loadCatalogue() });
if (!resolved.ok) throw new Error(resolved.problems.join('; '));
const target = { baseUrl: flags.baseUrl, hasKey: true, headers: [] };
suite.general(document, document.operations, permissionsOf(resolved.settings, target));
console.log(JSON.stringify({ loaded, prepared: cpu(), resident: process.resourceUsage().maxRSS * 1024 }));
