import { type RefObject, useEffect, useRef } from "react";

/**
 * Scrolls a row of tabs, or a list of links, so that the current one is visible.
 *
 * @param current identifies the current tab or link; the row scrolls again when it changes.
 */
export function useScrollToCurrent<Row extends HTMLElement>(
  current: string,
): RefObject<Row | null> {
  const row = useRef<Row>(null);
  const shown = useRef<string>(null);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    row.current
      ?.querySelector(`[aria-selected="true"], [aria-current="page"]`)
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return row;
}
