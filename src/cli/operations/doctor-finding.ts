import { styled } from "#cli/terminal/output.ts";

/** The result of one check. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "broken";
  readonly found: string;
  /** The advice on what to do. Empty: nothing. */
  readonly advice: string;
}

/** Returns a finding that needs no action. */
export const ok = (name: string, found: string): Finding => ({
  name,
  state: "ok",
  found,
  advice: "",
});
/** Returns a finding that does not prevent sending, with advice. */
export const warning = (name: string, found: string, advice: string): Finding => ({
  name,
  state: "warning",
  found,
  advice,
});
/** Returns a finding that prevents sending, with advice. */
export const broken = (name: string, found: string, advice: string): Finding => ({
  name,
  state: "broken",
  found,
  advice,
});
/** Returns the message of an error, or its code if it has no message. */
export const words = (error: unknown): string =>
  error instanceof Error
    ? error.message || ("code" in error ? String(error.code) : "no reason given")
    : String(error);

/** Maximum clock difference in milliseconds before leases and timestamps are affected. */
export const CLOCK_OFFSET_MAX_MS = 30_000;

const MARKS = {
  ok: ["green", "ok     "],
  warning: ["yellow", "warning"],
  broken: ["red", "broken "],
} as const;

/** Returns a finding as one or two lines for a terminal. */
export function findingText({ name, state, found, advice }: Finding): string {
  const [colour, word] = MARKS[state];
  return `${styled(colour, word)}  ${name}: ${found}${advice ? `\n         → ${advice}` : ""}`;
}
