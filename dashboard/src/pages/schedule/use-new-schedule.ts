import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";

/** The command palette returns the focus when it closes, which takes this long. */
const PALETTE_CLOSES_MS = 250;

/** Scrolls to the form and focuses its first field if the address ends with "#new". */
export function useShownForm(): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null);
  const isAsked = useLocation({ select: ({ hash }) => hash === "new" });
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(() => {
      form.current?.scrollIntoView();
      form.current?.querySelector("input")?.focus({ preventScroll: true });
    }, PALETTE_CLOSES_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
  return form;
}
