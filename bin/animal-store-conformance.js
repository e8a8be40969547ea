#!/usr/bin/env node
// Plain JavaScript that any Node can parse, so that an old one gets a sentence and not a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `animal-store-conformance needs Node 22.19 or newer; this is Node ${process.versions.node}. Install a newer Node, or run it through npm in a checkout.`,
  );
  process.exit(2);
}
const { enableCompileCache } = await import('node:module');
const { directory } = enableCompileCache();
// Threads look for it here.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
const { existsSync } = await import('node:fs');
const built = new URL('../dist/src/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const { main } = await import(existsSync(source) ? source.href : built.href);
await main(process.argv.slice(2));
