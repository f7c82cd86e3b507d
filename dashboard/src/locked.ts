/** Whether the session of this page has ended. The page stays as it is, under a lock. */
import { useSyncExternalStore } from "react";

let isLocked = false;
const listeners = new Set<() => void>();

export function lock(on: boolean): void {
  isLocked = on;
  for (const listener of listeners) listener();
}

export const useLocked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLocked,
  );
