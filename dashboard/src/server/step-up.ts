/**
 * Some operations need a second proof, at most five minutes old. Their callers need no code for
 * that: this file asks the user.
 */
import { useSyncExternalStore } from "react";

type StepUpListener = (isProven: boolean) => void;

/** Requests that wait for the proof. Concurrent requests share one dialog. */
let waiting: StepUpListener[] = [];
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Asks the user for the proof. False: the user cancelled. */
export const requestStepUp = (): Promise<boolean> =>
  new Promise((answer) => {
    waiting = [...waiting, answer];
    tell();
  });

/** Closes the dialog, and continues or refuses the waiting requests. */
export function finishStepUp(isProven: boolean): void {
  const answers = waiting;
  waiting = [];
  for (const answer of answers) answer(isProven);
  tell();
}

/** Returns whether a request waits for the password or a code. */
export const useStepUpRequested = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting.length > 0,
  );
