import { PasswordInput } from "@mantine/core";
import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { type Answer, ApiProblem } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import classes from "./new-password.module.css";

const texts = messages.newPassword;
const PROBLEMS: Readonly<Record<string, string>> = texts.problems;

/** A shorter password needs no check by the server. */
const LENGTH_MIN = 15;
/** Milliseconds without typing after which the server checks the password. */
const PAUSE_MS = 300;

type CheckAnswer = Answer<"POST /api/profile/password-check">;

/** Asks the server whether it would accept the password. */
type PasswordCheck = (password: string, signal: AbortSignal) => Promise<CheckAnswer>;

/** The field for a new password. It tells while you type whether the server would accept it. */
export function NewPasswordField({
  value,
  onChange,
  check,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly check: PasswordCheck;
  readonly error: Error | null;
}) {
  // A refusal applies only to the password that was sent.
  const [refused, setRefused] = useState({ error, value });
  if (refused.error !== error) setRefused({ error, value });
  const isRefused = isWeakPassword(error) && refused.value === value;
  return (
    <div>
      <PasswordInput
        label={texts.label}
        description={texts.hint}
        autoComplete="new-password"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={isRefused ? PROBLEMS[String(error.document["why"])] : undefined}
        required
      />
      <div role="status">{isRefused ? null : <Strength of={value} check={check} />}</div>
    </div>
  );
}

interface Checked {
  readonly password: string;
  /** Null: the server did not answer. It checks the password again when it is set. */
  readonly answer: CheckAnswer | null;
}

/** Returns the answer of the server for this password; undefined while it is not known. */
function useAnswer(password: string, check: PasswordCheck): CheckAnswer | null | undefined {
  const [checked, setChecked] = useState<Checked | null>(null);
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    const answer = await check(password, signal).catch(() => null);
    if (!signal.aborted) setChecked({ password, answer });
  });
  useEffect(() => {
    if (missingIn(password) > 0) return;
    const request = new AbortController();
    const timer = setTimeout(() => void ask(request.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [password]);
  return checked?.password === password ? checked.answer : undefined;
}

const missingIn = (password: string): number => LENGTH_MIN - [...password].length;

function Strength({ of: password, check }: { readonly of: string; readonly check: PasswordCheck }) {
  const answer = useAnswer(password, check);
  const missing = missingIn(password);
  if (password === "") return null;
  if (missing > 0) return <Verdict tone="draft" text={texts.missing(missing)} />;
  if (answer === undefined) return <Verdict tone="draft" text={texts.checking} />;
  if (answer === null) return null;
  return answer.problem === null ? (
    <Verdict tone="settled" text={texts.strong} />
  ) : (
    <Verdict tone="awaiting" text={texts.problems[answer.problem]} />
  );
}

const ICONS = { draft: CircleDashed, awaiting: CircleAlert, settled: CircleCheck } as const;

function Verdict({ tone, text }: { readonly tone: keyof typeof ICONS; readonly text: string }) {
  const Icon = ICONS[tone];
  return (
    <p className={classes.verdict} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {text}
    </p>
  );
}

/** The field shows this error itself. The form shows all others. */
export const isWeakPassword = (error: Error | null): error is ApiProblem =>
  error instanceof ApiProblem && error.code === "weak_password";
