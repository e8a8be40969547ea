/** Where the digits 0 of two other scripts stand: Arabic-Indic and full-width. */
const zeros = [0x0660, 0xff10];

/** Writes digits of other scripts as libraries read them that ask Unicode what a digit is. */
export const asciiDigits = (text: string): string =>
  text.replaceAll(/[\u0660-\u0669\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
  });
