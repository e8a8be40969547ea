/** A name without its spelling: `room_id`, `roomId`, and `Room-ID` are one. */
export const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
