import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";

const SWITCH = "payrun-keys";
const CHANGED = "payrun-keys-changed";

const areOn = (): boolean => localStorage.getItem(SWITCH) !== "off";

/** Keys of one letter can be turned off: whoever speaks to the computer presses them by accident (WCAG 2.1.4). */
export function useKeySwitch(): readonly [boolean, (on: boolean) => void] {
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

/** Not a key that belongs to what is being typed, nor one of the browser's. */
const isOurs = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, dialog, [role=dialog]"))
  );

/** Tells keys of one letter, as long as they are on. */
export function useKeys(press: (key: string, event: KeyboardEvent) => void): void {
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

/** `j` and `k` go through the rows of what the reference holds; Enter opens the one that has the focus. */
export function useRowKeys<Element extends HTMLElement>(): RefObject<Element | null> {
  return useSteps<Element>({ j: 1, k: -1 }, "[data-row-link]");
}

/** The first key of the pair goes on, the second back, over what the selector finds in the reference. */
export function useSteps<Element extends HTMLElement>(
  keys: Readonly<Record<string, 1 | -1>>,
  selector: string,
): RefObject<Element | null> {
  const place = useRef<Element>(null);
  useKeys((key) => {
    const step = keys[key];
    if (step === undefined) return;
    const all = [...(place.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = all.findIndex((each) => each === document.activeElement);
    all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step]?.focus();
  });
  return place;
}
