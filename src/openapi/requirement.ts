/** MUST: the document says so. SHOULD: a standard it stands on says so. OPEN: the document leaves it open. */
export type Level = 'MUST' | 'SHOULD' | 'OPEN';

/** The group of an id: `LIST` of `LIST-3`. */
export const groupOf = (id: string): string => id.slice(0, id.lastIndexOf('-'));

/** One entry of `spec/requirements.yaml`. */
export interface Requirement {
  /** `GROUP-N`: permanent. */
  readonly id: string;
  readonly level: Level;
  readonly statement: string;
  /** The section of the interface document, or the standard, that it comes from. */
  readonly section: string;
  /** Who must meet it. */
  readonly subject: 'server' | 'client' | 'domain';
  /** Requirements without which this one cannot be judged. */
  readonly dependsOn: readonly string[];
}
