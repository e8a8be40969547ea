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

test('a gateway that is not installed: the error gives the command that installs all of them', async () => {
  await expect(startGateway(program({ program: 'no-such-gateway' }), 1)).rejects.toThrow(
    'A gateway is not installed: apt-get install nginx apache2 haproxy caddy varnish',
  );
});

test('a gateway that ends: the error repeats what it wrote', async () => {
  const configuration = () => 'console.error("port in use"); process.exit(1);';
  await expect(startGateway(program({ configuration }), 1)).rejects.toThrow(/it ended\nport in use/);
});

test('a gateway that ignores SIGTERM: its processes are ended all the same', async () => {
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
