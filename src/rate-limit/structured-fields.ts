/** An item of a structured field (RFC 9651): strings, tokens, and byte sequences are texts. */
export type BareItem = string | number | boolean;

/** A member of a list or a dictionary. */
export interface FieldMember {
  /** Null in a list. */
  readonly key: string | null;
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
}

const bareItem =
  /"((?:[^"\\]|\\["\\])*)"|:([A-Za-z0-9+/=]*):|\?([01])|(-?\d{1,15}(?:\.\d{1,3})?)|([A-Za-z*][\w!#$%&'*+.^`|~:/-]*)/y;
const parameterName = /[ \t]*;[ \t]*([a-z*][\w.*-]*)(=)?/y;
const memberKey = /([a-z*][\w.*-]*)=/y;
const separator = /[ \t]*,[ \t]*/y;

/** Reads a list or a dictionary of items. Returns null for other texts, and for inner lists. */
export const parseMembers = (text: string): readonly FieldMember[] | null => {
  const line = text.trim();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const takeItem = (): BareItem | null => {
    const match = take(bareItem);
    if (match === null) return null;
    const [, quoted, bytes, flag, number, token] = match;
    if (number !== undefined) return Number(number);
    if (flag !== undefined) return flag === '1';
    return quoted?.replaceAll(/\\(.)/g, '$1') ?? bytes ?? token ?? '';
  };
  const takeParameters = (): ReadonlyMap<string, BareItem> | null => {
    const parameters = new Map<string, BareItem>();
    for (let match = take(parameterName); match !== null; match = take(parameterName)) {
      const value = match[2] === undefined ? true : takeItem();
      if (value === null) return null;
      parameters.set(match[1] ?? '', value);
    }
    return parameters;
  };
  const members: FieldMember[] = [];
  do {
    const key = take(memberKey)?.[1] ?? null;
    const value = takeItem();
    const parameters = value === null ? null : takeParameters();
    if (value === null || parameters === null) return null;
    members.push({ key, value, parameters });
  } while (take(separator) !== null);
  return at === line.length ? members : null;
};
