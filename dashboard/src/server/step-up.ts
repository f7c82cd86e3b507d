/**
 * Some operations need a second proof, at most five minutes old. Their callers need no code for
 * that: this file asks the user.
 */
import { useSyncExternalStore } from "react";

type Answer = (isProven: boolean) => void;

/** Requests that wait for the proof. Concurrent requests share one dialog. */
let waiting: Answer[] = [];
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Asks the user for the proof. False: the user cancelled. */
export const askForProof = (): Promise<boolean> =>
  new Promise((answer) => {
    waiting = [...waiting, answer];
    tell();
  });

export function answerProof(isProven: boolean): void {
  const answers = waiting;
  waiting = [];
  for (const answer of answers) answer(isProven);
  tell();
}

export const useProofAsked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting.length > 0,
  );
