/**
 * Whether a person is using the page. Only input of a person keeps a session alive, and requests
 * that pages make by themselves do not, so an unattended screen is locked.
 */
const INPUTS = ["pointerdown", "keydown", "wheel"] as const;
const RECENT_MS = 60_000;
/** Minimum time between two reports of input. Reading or filling in a form makes no request. */
const TELL_MS = 5 * 60_000;

let inputMs = -Infinity;
let toldMs = Date.now();

/**
 * Watches for input, and reports it if the page makes no other request.
 *
 * @param tell sends any request to the server, with the header of `presenceHeader`.
 */
export function watchUserInput(tell: () => void): void {
  const heard = ({ isTrusted }: Event): void => {
    if (!isTrusted) return;
    inputMs = Date.now();
    if (inputMs - toldMs < TELL_MS) return;
    toldMs = inputMs;
    tell();
  };
  for (const kind of INPUTS) addEventListener(kind, heard, { capture: true, passive: true });
}

/** The header that reports recent input, for each request. */
export function presenceHeader(): Readonly<Record<string, string>> {
  if (Date.now() - inputMs > RECENT_MS) return {};
  toldMs = Date.now();
  return { "x-payrun-input": "1" };
}
