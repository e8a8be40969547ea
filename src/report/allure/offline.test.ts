import { expect, test } from 'vitest';
import { offline, scriptSource } from './offline.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('scripts from the network and those that feed them are gone, others stay', () => {
  const { html } = offline(
    '<p>a</p><script async src="https://tags.example/gtag/js"></script><script src=//tags.example/x></script>' +
      "<script>function gtag(){dataLayer.push(arguments);} gtag('js', new Date());</script><script>keep()</script><p>b</p>",
  );
  expect(html).toBe('<p>a</p><script>keep()</script><p>b</p>');
});

test('scripts and styles in data addresses become inline ones', () => {
  const { html } = offline(
    `<link rel="stylesheet" href="data:text/css;base64,${base64('a{b:c}')}"><script src="data:text/javascript;base64,${base64('run("ü")')}"></script>`,
  );
  expect(html).toBe('<style>a{b:c}</style><script>run("ü")</script>');
});

test('each script that is left is named by its hash, as the page will hold it', () => {
  const { html, scriptSources } = offline(
    `<script defer>a()\r\nb()</script><script src="data:text/javascript;base64,${base64('c("</script>", "<script>")')}"></script>`,
  );
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '');
  expect(scripts).toEqual(['a()\nb()', 'c("</\\x73cript>", "<\\x73cript>")']);
  expect(scriptSources).toEqual(scripts.map(scriptSource));
});

test('a script that sets the base address by its own place is gone', () => {
  expect(offline('<script>const baseEl = document.createElement("base");</script>').html).toBe('');
});
