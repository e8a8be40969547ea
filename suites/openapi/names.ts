/** The steps of a path, whether or not it ends in a slash. */
export const stepsOf = (path: string): readonly string[] => path.split('/').filter((step) => step !== '');

/** A name without its spelling: `room_id`, `roomId`, and `Room-ID` are one. */
export const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Tells whether two names are the same in another spelling, such as `page_size` and `pageSize`. */
export const isSameName = (one: string, other: string): boolean => normalize(one) === normalize(other);

/** The member of a resource with a name in any spelling. */
export const memberNamed = (resource: object, name: string): string | undefined =>
  Object.keys(resource).find((member) => isSameName(member, name));

/**
 * The member that a path names after its kind of resource: `key` for `/spaces/{space_key}`. A name is an id only if there is no other, and
 * a `user_name` is what the user logs in with.
 */
export const memberOfKind = (members: readonly string[], item: string): string | undefined => {
  const [kind = '', parameter = ''] = stepsOf(item).slice(-2).map(normalize);
  const known = members.map(normalize);
  const hasId = known.includes('id') || known.includes('uuid') || parameter === 'username';
  return members.find((member) => {
    const name = normalize(member);
    const owner = parameter.endsWith(name) ? parameter.slice(0, -name.length) : '';
    return owner !== '' && isKind(owner, kind) && !(name === 'name' && hasId);
  });
};

/** `space` and `spaces` for the kind `spaces`, `category` for `categories`. */
export const isKind = (name: string, kind: string): boolean =>
  [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')].includes(kind);
