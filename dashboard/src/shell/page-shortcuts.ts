import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useShortcuts } from "../base/shortcuts.ts";
import { usePerson } from "../server/session.ts";
import { DESTINATIONS, type Destination } from "./navigation.ts";

/** The pages that the reader may open. */
export function useDestinations(): readonly Destination[] {
  const person = usePerson();
  return DESTINATIONS.filter(({ may }) => person?.permissions.includes(may));
}

/** The maximum time between `g` and its letter. */
const SECOND_KEY_MS_MAX = 1_500;

/** `g` and a letter open a page, `?` shows all shortcuts. */
export function usePageShortcuts(showKeys: () => void): void {
  const navigate = useNavigate();
  const destinations = useDestinations();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useShortcuts((key, { timeStamp }) => {
    const isSecond = timeStamp - pressedAt.current < SECOND_KEY_MS_MAX;
    pressedAt.current = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
    if (key === "?") showKeys();
    if (!isSecond) return;
    const goal = destinations.find(({ letter }) => letter === key);
    if (goal) void navigate({ to: goal.to });
  });
}
