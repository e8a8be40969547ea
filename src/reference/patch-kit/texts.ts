/** The code points of the digit 0 in two other scripts: Arabic-Indic and full-width. */
const zeros = [0x0660, 0xff10];

/** Replaces digits of other scripts with ASCII digits, as libraries do that accept every Unicode digit. */
export const asciiDigits = (text: string): string =>
  text.replaceAll(/[\u0660-\u0669\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
  });
