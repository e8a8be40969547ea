import { styleText } from 'node:util';

/** Colors text, or returns it unchanged. */
export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

export const painter =
  (color: boolean): Paint =>
  (format, text) =>
    color ? styleText(format, text, { validateStream: false }) : text;
