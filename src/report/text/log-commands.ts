/**
 * Beginnings of the commands that CI systems obey in a job's output. Azure, GitHub's older form, and TeamCity find theirs anywhere in a line,
 * GitHub's `::name` follows white space at most, and GitLab's sections have a time and a name.
 */
const beginnings: readonly (readonly [command: RegExp, escaped: string])[] = [
  [/#(?=#[\w.-]{0,40}\[)/g, '\\u0023'],
  [/(?<=(?:^|[\r\n\u0085\u2028\u2029])[\s\u0085\u200b]*):(?=:[a-z])/gi, '\\u003a'],
  [/(?<=section)_(?=(?:start|end):)/gi, '\\u005f'],
];

/**
 * Returns output for people without commands to a CI system: one character of each becomes an escape of JSON, so that a JSON text keeps its
 * meaning.
 */
export const withoutLogCommands = (output: string): string =>
  beginnings.reduce((text, [command, escaped]) => text.replace(command, () => escaped), output);
