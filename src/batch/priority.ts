/** Which batch goes first where not all can be sent at once; the first before the last. */
export const PRIORITIES = ["urgent", "normal", "low"] as const;

export type Priority = (typeof PRIORITIES)[number];

/** 0 goes first. */
export const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);
