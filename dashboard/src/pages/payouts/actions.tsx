import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { NOTHING_SAID, type Saying } from "../../components/closing.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { NoteForm } from "../../components/note-form.tsx";
import { useMay } from "../../session.ts";
import { Closing } from "./closing.tsx";
import { EndWait } from "./end-wait.tsx";
import { keepPayout, type PayoutView } from "./payout-query.ts";
import classes from "./payout.module.css";

// biome-ignore format: the columns are the point
const WORDS: Readonly<Record<PayoutView["actions"][number]["action"], string>> = {
  ask:     "Ask the gateway now",
  close:   "Close it by hand",
  resend:  "Send it again",
  cancel:  "Cancel it",
  replace: "Pay it under another code",
};

type Listed = PayoutView["actions"];
const IS_OVER: Listed[number] = { action: "close", may: false, why: "It is not held any more." };

/** What somebody types about a held payout stays at its place when an answer comes in that takes the action away. */
const withWhatIsTyped = (actions: Listed, said: Saying): Listed =>
  said === NOTHING_SAID || actions.some(({ action }) => action === "close")
    ? actions
    : actions.flatMap((each) => (each.action === "ask" ? [each, IS_OVER] : [each]));

/** Every action that people look for, with why it may be done or may not. */
export function Actions({ payout }: { readonly payout: PayoutView }) {
  const { code, actions } = payout;
  const mayOperate = useMay("operate");
  const [said, setSaid] = useState(NOTHING_SAID);
  const ask = useMutation({
    mutationFn: () => call("POST /api/payouts/:code/ask", { params: { code } }),
    onSuccess: keepPayout,
  });
  return (
    <>
      <ul className={classes.actions}>
        {withWhatIsTyped(actions, said).map(({ action, may, why }) => (
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
            {action === "close" ? <Closing payout={payout} said={said} onSaid={setSaid} /> : null}
          </li>
        ))}
      </ul>
      <EndWait payout={payout} />
      {ask.error ? <ErrorState error={ask.error} /> : null}
      {mayOperate ? (
        <NoteForm
          label="Note"
          verb="Leave the note"
          leave={(text) =>
            call("POST /api/payouts/:code/notes", { params: { code }, body: { text } })
          }
          onLeft={keepPayout}
        />
      ) : null}
    </>
  );
}
