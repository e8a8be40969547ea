import { expect, test } from 'vitest';
import type { Gateway } from './gateways.ts';
import { startGateway } from './start.ts';

const program = (changes: Partial<Gateway>): Gateway => ({
  name: 'A gateway',
  package: 'some-package',
  program: 'node',
  file: 'gateway.mjs',
  configuration: () => '',
  args: (file) => [file],
  ...changes,
});

test('not installed -> an error with the command that installs all gateways', async () => {
  await expect(startGateway(program({ program: 'no-such-gateway' }), 1)).rejects.toThrow(
    'A gateway is not installed: apt-get install nginx apache2 haproxy caddy varnish',
  );
});

test('gateway exits at once -> an error with its output', async () => {
  const configuration = () => 'console.error("port in use"); process.exit(1);';
  await expect(startGateway(program({ configuration }), 1)).rejects.toThrow(/it ended\nport in use/);
});

test('gateway ignores SIGTERM -> its processes are ended anyway', async () => {
  const configuration = ({ port }: { readonly port: number }) => `
    import { createServer } from 'node:http';
    process.on('SIGTERM', () => {});
    createServer((_, response) => response.end(String(process.pid))).listen(${port}, '127.0.0.1');
  `;
  const { baseUrl, close } = await startGateway(program({ configuration }), 1);
  const pid = Number(await (await fetch(baseUrl)).text());
  expect(process.kill(pid, 0)).toBe(true);
  await close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
