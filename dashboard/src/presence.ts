/**
 * Whether somebody sits here. A session lives by what its person does: what pages ask by themselves keeps none alive, so
 * that a screen that was left alone is locked.
 */
const INPUTS = ["pointerdown", "keydown", "wheel"] as const;
const RECENT_MS = 60_000;
/** Whoever reads or fills in a form for long asks the server nothing; it is told at most so often. */
const TELL_MS = 5 * 60_000;

let inputMs = -Infinity;
let toldMs = Date.now();

/** @param tell asks the server anything, by `presence`. */
export function watchInput(tell: () => void): void {
  const heard = ({ isTrusted }: Event): void => {
    if (!isTrusted) return;
    inputMs = Date.now();
    if (inputMs - toldMs < TELL_MS) return;
    toldMs = inputMs;
    tell();
  };
  for (const kind of INPUTS) addEventListener(kind, heard, { capture: true, passive: true });
}

/** What a request says of it. */
export function presence(): Readonly<Record<string, string>> {
  if (Date.now() - inputMs > RECENT_MS) return {};
  toldMs = Date.now();
  return { "x-payrun-input": "1" };
}
