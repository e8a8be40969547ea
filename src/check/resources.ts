/** What can be wrong with resources of another API. */
export type { ListMistake, ResourceEvent } from '../finding/kinds/resources.ts';
