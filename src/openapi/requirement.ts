/** MUST: the document requires it. SHOULD: a standard that the document builds on requires it. OPEN: not specified. */
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
  /** Whose behavior it is about. */
  readonly subject: 'server' | 'client' | 'domain';
  /** If one of these requirements fails, this one cannot be tested. */
  readonly dependsOn: readonly string[];
}
