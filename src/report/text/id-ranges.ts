/** Shorter rows are listed id by id. */
const fewestFolded = 3;

const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** The ids of a group, with a row of ids as `LIST-2 to LIST-5`. */
export const foldRows = (ids: readonly string[]): readonly string[] => {
  const rows = Map.groupBy(ids, (id) => numberOf(id) - ids.indexOf(id));
  return [...rows.values()].flatMap((row) =>
    row.length < fewestFolded ? row : [`${row[0]} to ${row.at(-1)}`],
  );
};
