import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Pet, Shelf } from '../store.ts';

const petOf = (row: Record<string, SQLOutputValue>): Pet => ({
  id: BigInt(String(row.id)),
  name: String(row.name),
  categoryId: BigInt(String(row.category_id)),
  status: String(row.status),
});

/** Keeps the animals in SQLite: in a file, or in memory. */
export const inSqlite = (file = ':memory:'): Shelf => {
  const database = new DatabaseSync(file, { readBigInts: true });
  database.exec(
    'create table if not exists pets (id integer primary key, name text, category_id integer, status text) strict',
  );
  const insert = database.prepare('insert into pets (name, category_id, status) values (?, ?, ?)');
  const byId = database.prepare('select * from pets where id = ?');
  const all = database.prepare('select * from pets order by id desc limit ?');
  const ofStatus = database.prepare('select * from pets where status = ? order by id desc limit ?');
  return {
    add: (pet) => {
      const { lastInsertRowid } = insert.run(pet.name, pet.categoryId, pet.status);
      return { ...pet, id: BigInt(lastInsertRowid) };
    },
    find: (id) => {
      const row = byId.get(id);
      return row === undefined ? undefined : petOf(row);
    },
    newest: (count, status) =>
      (status === undefined ? all.all(count) : ofStatus.all(status, count)).map(petOf),
  };
};
