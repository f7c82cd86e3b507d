import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useKeys } from "../keys.ts";
import { usePerson } from "../session.ts";
import { DESTINATIONS, type Destination } from "./navigation.ts";

/** Where whoever looks may go. */
export function useDestinations(): readonly Destination[] {
  const person = usePerson();
  return DESTINATIONS.filter(({ may }) => person?.permissions.includes(may));
}

/** A letter that comes later than this after its `g` was meant for something else. */
const PAIR_MS = 1_500;

/** `g` and a letter go to a page, `?` shows all keys. */
export function useGoKeys(showKeys: () => void): void {
  const navigate = useNavigate();
  const destinations = useDestinations();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useKeys((key, { timeStamp }) => {
    const isSecond = timeStamp - pressedAt.current < PAIR_MS;
    pressedAt.current = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
    if (key === "?") showKeys();
    if (!isSecond) return;
    const goal = destinations.find(({ letter }) => letter === key);
    if (goal) void navigate({ to: goal.to });
  });
}
