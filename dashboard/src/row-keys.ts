import { type RefObject, useEffect, useRef } from "react";

/** Where a key belongs to what is being typed. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, dialog") !== null);

/** `j` and `k` go through the rows of what the reference holds; Enter opens the one that has the focus. */
export function useRowKeys<Element extends HTMLElement>(): RefObject<Element | null> {
  const place = useRef<Element>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const step = { j: 1, k: -1 }[event.key];
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (step === undefined || !plain || isTyping(event)) return;
      const links = [...(place.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
      const at = links.findIndex((link) => link === document.activeElement);
      const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step;
      links[next]?.focus();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return place;
}
