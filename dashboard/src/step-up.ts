/** Some operations ask for a second proof, at most five minutes old. Whoever calls one need not know: it is asked for here. */
import { useSyncExternalStore } from "react";

type Answer = (isProven: boolean) => void;

/** Who waits for the proof; several requests at once share one question. */
let waiting: Answer[] = [];
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Asks the person to prove who they are. False: they would rather not. */
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
