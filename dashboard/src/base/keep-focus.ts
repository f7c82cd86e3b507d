/** Delay in milliseconds after which a closed dialog has returned the focus itself. */
const MOMENT_MS = 50;

/**
 * Keeps the keyboard focus in place. A button may disappear after its action, or be disabled during
 * the action, and then the browser moves the focus to the start of the page. The focus returns to
 * the button if it is enabled again, otherwise to the heading above the button. If all parts around
 * the button disappeared, it moves to the element with `data-focus-if-lost`, or else to the title.
 */
export function keepFocus(): void {
  /** The element that had the focus last and its ancestors, innermost first. */
  let path: readonly HTMLElement[] = [];
  let wasDisabled = false;
  let timer: number | undefined;
  const note = (): void => {
    path = pathOf(document.activeElement);
    wasDisabled = false;
  };
  const look = (): void => {
    const [last, ...around] = path;
    if (!last || document.activeElement !== document.body) return;
    const isOver = last.matches(":disabled:not([data-loading])");
    if (!last.isConnected || (wasDisabled && isOver)) headingOf(around)?.focus();
    else if (wasDisabled && !last.matches(":disabled")) last.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    wasDisabled ||= path[0]?.matches(":disabled") ?? false;
    // A moment after the last change, so that a dialog which closes just now has that time.
    window.clearTimeout(timer);
    timer = window.setTimeout(look, MOMENT_MS);
  });
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled", "data-loading"],
  });
  document.addEventListener("focusin", note);
  // A click outside focusable elements removes the focus deliberately.
  document.addEventListener("click", note, true);
}

function pathOf(element: Element | null): readonly HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) return [];
  return [element, ...pathOf(element.parentElement)];
}

/** The heading of the innermost part that still exists, or the place to continue without one. */
function headingOf(around: readonly HTMLElement[]): HTMLElement | null {
  for (const part of around) {
    const heading = part.isConnected ? part.querySelector<HTMLElement>("h1, h2, h3") : null;
    if (heading === null) continue;
    heading.tabIndex = -1;
    return heading;
  }
  const next = document.querySelector<HTMLElement>("[data-focus-if-lost]");
  return next ?? document.querySelector("h1");
}
