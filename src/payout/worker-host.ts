/** Returns the host of a process from its ID, which also has a process ID and a random part. */
export const workerHost = (id: string): string => id.replace(/-\d+-[0-9a-f]{6}$/, "");
