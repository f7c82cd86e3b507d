/** Priorities of batches when capacity is limited, highest first. */
export const PRIORITIES = ["urgent", "normal", "low"] as const;

export type Priority = (typeof PRIORITIES)[number];

/** Returns the rank of a priority. 0 is sent first. */
export const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);
