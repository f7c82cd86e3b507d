/**
 * Keeps what the reader types between opening the command palette and the moment its field has the
 * focus. The palette loads and fades in meanwhile.
 */

/** After this time the palette has failed to load, and keys work as usual again. */
const WAIT_MAX_MS = 3_000;

let typed = "";
let timer: ReturnType<typeof setTimeout> | undefined;

function collect(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || (key.length > 1 && key !== "Backspace")) return;
  typed = key === "Backspace" ? typed.slice(0, -1) : typed + key;
  event.preventDefault();
  event.stopPropagation();
}

/** Starts to keep the typed text. */
export function collectTyping(): void {
  takeTyping();
  addEventListener("keydown", collect, true);
  timer = setTimeout(takeTyping, WAIT_MAX_MS);
}

/** Returns the text typed since `collectTyping`, and stops keeping it. */
export function takeTyping(): string {
  const text = typed;
  typed = "";
  clearTimeout(timer);
  removeEventListener("keydown", collect, true);
  return text;
}
