/** Why DNS gave no answer, by code. */
export const dnsSilence: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  refused: 'nothing listens there',
  unreachable: 'this machine has no route to it',
  malformed: 'the response is not DNS',
  lame: 'the servers do not know the zone',
};
