import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';
import { shapeDefinitions } from './icons.ts';

/** An inline script as a source of the policy. */
const scriptSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and only the script of this page runs. */
const policyFor = (script: string): string =>
  [
    "default-src 'none'",
    script === '' ? "script-src 'none'" : `script-src ${scriptSource(script)}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

interface Parts {
  readonly title: string;
  readonly style: string;
  /** A link for readers of a screen reader, to what they came for. */
  readonly skip: { readonly to: string; readonly text: string };
  readonly main: Html;
  readonly footer: string;
  /** Empty: none. */
  readonly script: string;
}

/** A page that opens from disk, and loads nothing. */
export const htmlDocument = ({ title, style, skip, main, footer, script }: Parts): string => {
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,"><style>${{ markup: style }}</style></head>
<body>${shapeDefinitions()}<a class="skip" href="${skip.to}">${skip.text}</a>
<main>${main}</main>
<footer>${footer}</footer>
${script !== '' && html`<script>${{ markup: script }}</script>`}</body></html>
`;
  return markup;
};
