/**
 * Some operations need a second proof, at most five minutes old. Their callers need no code for
 * that: this file asks the user.
 */
import { useSyncExternalStore } from "react";
import type { ConfirmedAction } from "./client.ts";

interface WaitingRequest {
  readonly action: ConfirmedAction;
  readonly continue: (isProven: boolean) => void;
}

/** Requests that wait for the proof. Concurrent requests share one dialog. */
let waiting: readonly WaitingRequest[] = [];
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Asks the user for the proof. False: the user cancelled. */
export const requestStepUp = (action: ConfirmedAction): Promise<boolean> =>
  new Promise((answer) => {
    waiting = [...waiting, { action, continue: answer }];
    tell();
  });

/** Closes the dialog, and continues or refuses the waiting requests. */
export function finishStepUp(isProven: boolean): void {
  const requests = waiting;
  waiting = [];
  for (const request of requests) request.continue(isProven);
  tell();
}

/** Returns the action that waits for the password or a code, the first of several; null: none. */
export const useStepUpRequest = (): ConfirmedAction | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting[0]?.action ?? null,
  );
