/** Reasons as their sentences: the key is the permanent code, and after a space the detail that distinguishes the sentences of one code. */
type Sentences = Readonly<Record<string, string | ((facts: never) => string)>>;

type NameOf<Key, Lost extends string> = Key extends 'lost'
  ? { readonly code: Lost; readonly detail: 'lost' }
  : Key extends `${infer Code} ${infer Detail}`
    ? { readonly code: Code; readonly detail: Detail }
    : { readonly code: Key };

type FactsOf<Sentence> = Sentence extends (facts: infer Facts) => string ? Facts : unknown;

type Members<T> = { [Name in keyof T]: T[Name] };

/** The reasons that a table has sentences for: its keys, with the facts that the sentences take. `lost` comes with each code of `Lost`. */
export type ReasonOf<Table extends Sentences, Lost extends string = never> = {
  [Key in keyof Table]: Members<NameOf<Key, Lost> & FactsOf<Table[Key]>>;
}[keyof Table];

type Named = { readonly code: string; readonly detail?: string };

const keyOf = ({ code, detail }: Named): string =>
  detail === undefined ? code : detail === 'lost' ? detail : `${code} ${detail}`;

/** Returns how reasons are said, without a full stop. */
export const sayWith =
  <Table extends Sentences>(table: Table) =>
  (reason: Named): string => {
    // The compiler does not see that the code, the detail, and the facts of one reason belong together.
    const sentence = table[keyOf(reason)] as string | ((facts: Named) => string);
    return typeof sentence === 'string' ? sentence : sentence(reason);
  };

export interface WithStatus {
  readonly status: number;
}
