/** The number of the line at an index of a text. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
