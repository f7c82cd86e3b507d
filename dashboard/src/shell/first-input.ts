const FIRST_INPUTS = ["pointermove", "pointerdown", "keydown"] as const;

let wasTouched = false;

/**
 * Calls `start` when the user first touches the page, or at once if that has happened. Returns a
 * function that prevents it.
 */
export function onFirstInput(start: () => void): () => void {
  const begin = (): void => {
    if (!navigator.onLine) return;
    stop();
    wasTouched = true;
    start();
  };
  const stop = (): void => {
    for (const kind of FIRST_INPUTS) removeEventListener(kind, begin);
  };
  if (wasTouched) {
    start();
  } else {
    for (const kind of FIRST_INPUTS) addEventListener(kind, begin, { passive: true });
  }
  return stop;
}
