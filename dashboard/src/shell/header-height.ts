import { type RefObject, useEffect, useRef } from "react";

/**
 * Publishes the height of the referenced header as `--header-height`, below which the headers of
 * tables stay visible. Banners change it.
 */
export function useHeaderHeight(): RefObject<HTMLElement | null> {
  const header = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = header.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty("--header-height", `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return header;
}
