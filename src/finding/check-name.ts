/** The name of a check, without its cases. */
export interface CheckName {
  /** Unique and permanent, in kebab case, the requirement first: `list-3-every-limit`. The operation comes last in a check of any API. */
  readonly id: string;
  /** What it does: free text, for people. */
  readonly title: string;
  /** The requirement that its cases are about; empty: none (the preflight). */
  readonly requirement: string;
}

/** A check as people read it: `LIST-3 every limit is accepted`. */
export const checkName = ({ requirement, title }: CheckName): string => `${requirement} ${title}`.trimStart();
