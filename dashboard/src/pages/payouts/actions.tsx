import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { queryClient } from "../../query-client.ts";
import { useMay } from "../../session.ts";
import { Closing } from "./closing.tsx";
import { type PayoutView, payoutQuery } from "./payout-query.ts";
import classes from "./payout.module.css";

// biome-ignore format: the columns are the point
const WORDS: Readonly<Record<PayoutView["actions"][number]["action"], string>> = {
  ask:     "Ask the gateway now",
  close:   "Close it by hand",
  resend:  "Send it again",
  cancel:  "Cancel it",
  replace: "Pay it under another code",
};

/** Every action that people look for, with why it may be done or may not. */
export function Actions({ payout }: { readonly payout: PayoutView }) {
  const { code, actions } = payout;
  const mayOperate = useMay("operate");
  const take = (next: PayoutView): void =>
    void queryClient.setQueryData(payoutQuery(code).queryKey, next);
  const ask = useMutation({
    mutationFn: () => call("POST /api/payouts/:code/ask", { params: { code } }),
    onSuccess: take,
  });
  return (
    <>
      <ul className={classes.actions}>
        {actions.map(({ action, may, why }) => (
          <li key={action}>
            {action === "ask" && may && mayOperate ? (
              <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
                {WORDS[action]}
              </Button>
            ) : (
              <strong>{WORDS[action]}</strong>
            )}
            <p className={classes.why}>
              {may && !mayOperate ? "An operator can. " : ""}
              {may ? "" : "Not here. "}
              {why}
            </p>
            {action === "close" ? <Closing payout={payout} /> : null}
          </li>
        ))}
      </ul>
      {ask.error ? <ErrorState error={ask.error} /> : null}
      {mayOperate ? <Note code={code} onNoted={take} /> : null}
    </>
  );
}

function Note({
  code,
  onNoted,
}: {
  readonly code: string;
  readonly onNoted: (next: PayoutView) => void;
}) {
  const [text, setText] = useState("");
  const note = useMutation({
    mutationFn: () =>
      call("POST /api/payouts/:code/notes", { params: { code }, body: { text: text.trim() } }),
    onSuccess: (next) => {
      setText("");
      onNoted(next);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    note.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        mt="md"
        mb="xs"
        label="Note"
        description="It stays on the audit log for good: no account numbers."
        autosize
        minRows={2}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {note.error ? <ErrorState error={note.error} /> : null}
      <Button
        type="submit"
        size="xs"
        variant="default"
        loading={note.isPending}
        disabled={text.trim().length < 3}
      >
        Leave the note
      </Button>
    </form>
  );
}
