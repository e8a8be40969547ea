/** What is known of a check where its cases do not matter. */
export interface CheckName {
  /** Unique and permanent, in kebab case, the requirement first: `list-3-every-limit`. Of a check of any API, the operation comes last. */
  readonly id: string;
  /** What it does: free text, for people. */
  readonly title: string;
  /** The requirement that its cases are about; empty: none, as of the preflight. */
  readonly requirement: string;
}

/** A check as people read it: `LIST-3 every limit is accepted`. */
export const checkName = ({ requirement, title }: CheckName): string => `${requirement} ${title}`.trimStart();
