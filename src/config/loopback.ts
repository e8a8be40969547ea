/** Whether a server is on this machine: requests slow nobody else down, and its data are the user's own. */
export const isLoopback = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\./.test(hostname)
  );
};
