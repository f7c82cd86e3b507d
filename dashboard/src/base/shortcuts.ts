import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";

const SWITCH = "payrun-keys";
const CHANGED = "payrun-keys-changed";

const areOn = (): boolean => localStorage.getItem(SWITCH) !== "off";

/**
 * The setting that turns single-letter keys off, because speech input presses them by accident
 * (WCAG 2.1.4).
 */
export function useShortcutSetting(): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore((changed) => {
    window.addEventListener(CHANGED, changed);
    return () => window.removeEventListener(CHANGED, changed);
  }, areOn);
  const turn = (next: boolean): void => {
    localStorage.setItem(SWITCH, next ? "on" : "off");
    window.dispatchEvent(new Event(CHANGED));
  };
  return [on, turn];
}

/** False for typed text, inside dialogs and for the browser's own shortcuts. */
const isOurs = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, dialog, [role=dialog]"))
  );

/** Calls `press` for each single-letter key while these keys are on. */
export function useShortcuts(press: (key: string, event: KeyboardEvent) => void): void {
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isOurs(event) && areOn()) latest.current(event.key, event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** `j` and `k` move through the rows inside the referenced element; Enter opens the focused row. */
export function useRowShortcuts<Element extends HTMLElement>(): RefObject<Element | null> {
  return useFocusShortcuts<Element>({ j: 1, k: -1 }, "[data-row-link]");
}

/** Keys that move the focus forward or back among the elements that the selector finds. */
export function useFocusShortcuts<Element extends HTMLElement>(
  keys: Readonly<Record<string, 1 | -1>>,
  selector: string,
): RefObject<Element | null> {
  const place = useRef<Element>(null);
  useShortcuts((key) => {
    const step = keys[key];
    if (step === undefined) return;
    const all = [...(place.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = all.findIndex((each) => each === document.activeElement);
    all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step]?.focus();
  });
  return place;
}
