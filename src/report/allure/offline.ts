import { createHash } from 'node:crypto';

/** A page whose scripts are all inline, with what a Content-Security-Policy needs to let just those run. */
export interface OfflinePage {
  readonly html: string;
  /** `'sha256-…'` of each script. */
  readonly scriptSources: readonly string[];
}

/** As a policy names an inline script. */
export const scriptSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** From the network, or an inline one that only feeds such a script. */
const isTracker = (attributes: string, script: string): boolean =>
  /\bsrc\s*=\s*["']?(?:https?:)?\/\//i.test(attributes) ||
  /\bgtag\s*\(|googletagmanager/.test(script.slice(0, 2_000));

/** Sets a base address out of the page's own, which a page inside another one does not have. */
const setsBase = (script: string): boolean =>
  script.includes('createElement("base")') && script.length < 1_000;

const decode = (base64: string): string =>
  Buffer.from(base64, 'base64').toString('utf8').replace(/\r\n?/g, '\n');

/** Inside strings and patterns, where alone a program can hold it, `\x73` is `s`. */
const inlineScript = (script: string): string => script.replace(/<(\/?)script/gi, '<$1\\x73cript');

const dataSource = (attributes: string): string | undefined =>
  /\bsrc="data:text\/javascript;base64,([^"]+)"/.exec(attributes)?.[1];

/**
 * The page without its tag manager and without any need of the network: scripts and styles that it carries as `data:` addresses
 * become inline ones. Everything else is left as it is.
 */
export const offline = (page: string): OfflinePage => {
  const scriptSources = new Set<string>();
  const html = page
    .replace(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi, (_, attributes: string, body: string) => {
      if (isTracker(attributes, body) || setsBase(body)) return '';
      const data = dataSource(attributes);
      const script = data === undefined ? body.replace(/\r\n?/g, '\n') : inlineScript(decode(data));
      scriptSources.add(scriptSource(script));
      return `<script>${script}</script>`;
    })
    .replace(
      /<link\b[^>]*href="data:text\/css;base64,([^"]+)"[^>]*>/gi,
      (_, data: string) => `<style>${decode(data).replace(/<\/style/gi, '<\\/style')}</style>`,
    );
  return { html, scriptSources: [...scriptSources] };
};
