import { Link } from "@tanstack/react-router";
import { usePerson } from "../server/session.ts";
import classes from "./second-factor-banner.module.css";
import { messages } from "./messages.tsx";

/** Shown on every page to a user whose role requires a second factor, until they set it up. */
export function SecondFactorBanner() {
  const missing = usePerson()?.second_factor_missing ?? [];
  if (missing.length === 0) return null;
  return (
    <p className={classes.banner} role="status">
      {messages.secondFactor(missing, (text) => (
        <Link to="/profile">{text}</Link>
      ))}
    </p>
  );
}
