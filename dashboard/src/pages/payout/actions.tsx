import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { ChosenAction } from "../payout-action/action-dialog.tsx";
import { call } from "../../server/client.ts";
import {
  EMPTY_RESOLUTION,
  type ResolutionDraft,
} from "../../components/payout/manual-resolution.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { NoteForm } from "../../components/forms/note-form.tsx";
import { useMay } from "../../server/session.ts";
import { PayoutResolution } from "./payout-resolution.tsx";
import { EndWait } from "./end-wait.tsx";
import { messages } from "./messages.ts";
import { cachePayout, type PayoutView } from "./payout-query.ts";
import classes from "./payout.module.css";

const texts = messages.actions;

/** Loaded when an action is chosen. */
const ActionDialog = lazy(() => import("../payout-action/action-dialog.tsx"));

type Listed = PayoutView["actions"];
const NO_LONGER_ON_HOLD: Listed[number] = { action: "resolve", may: false, why: texts.notOnHold };

/**
 * Keeps the form of a manual resolution and its typed text when the payout leaves the state on
 * hold.
 */
const withTypedResolution = (actions: Listed, draft: ResolutionDraft): Listed =>
  draft === EMPTY_RESOLUTION || actions.some(({ action }) => action === "resolve")
    ? actions
    : actions.flatMap((each) => (each.action === "query" ? [each, NO_LONGER_ON_HOLD] : [each]));

/** The actions on an unsent payout. A dialog previews them and asks for the reason. */
const PREVIEWED = ["hold_back", "release", "cancel"] as const;
type Previewed = (typeof PREVIEWED)[number];

/** Manual resolution stays listed: it keeps the typed text of a form that is not available. */
const isShown = ({ action, may }: Listed[number]): boolean => may || action === "resolve";

/** Lists the available actions, each with the reason why it is available. */
export function PayoutActions({ payout }: { readonly payout: PayoutView }) {
  const { code, actions } = payout;
  const mayOperate = useMay("operate");
  const [draft, setDraft] = useState(EMPTY_RESOLUTION);
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  const ask = useMutation({
    mutationFn: () => call("POST /api/payouts/:code/query", { params: { code } }),
    onSuccess: cachePayout,
  });
  const preview = (action: Previewed): void =>
    setChosen({ action, selection: { codes: [code] }, openedAt: Date.now() });
  return (
    <>
      <ul className={classes.actions}>
        {withTypedResolution(actions, draft)
          .filter(isShown)
          .map(({ action, may, why }) => (
            <li key={action}>
              {may && mayOperate ? (
                <ActionName action={action} ask={ask} onPreview={preview} />
              ) : (
                <strong>{texts.names[action]}</strong>
              )}
              <p className={classes.why}>
                {may ? (mayOperate ? "" : `${texts.byOperators} `) : `${texts.unavailable} `}
                {why}
              </p>
              {action === "resolve" ? (
                <PayoutResolution payout={payout} draft={draft} onDraft={setDraft} />
              ) : null}
            </li>
          ))}
      </ul>
      {chosen ? (
        <Suspense>
          <ActionDialog key={chosen.openedAt} chosen={chosen} onClosed={() => setChosen(null)} />
        </Suspense>
      ) : null}
      <EndWait payout={payout} />
      {ask.error ? <ErrorState error={ask.error} /> : null}
      {mayOperate ? (
        <NoteForm
          label={texts.note}
          verb={texts.addNote}
          leave={(text) =>
            call("POST /api/payouts/:code/notes", { params: { code }, body: { text } })
          }
          onLeft={cachePayout}
        />
      ) : null}
    </>
  );
}

/** The button of an action that the reader may take; a title if the action has a form instead. */
function ActionName({
  action,
  ask,
  onPreview,
}: {
  readonly action: Listed[number]["action"];
  readonly ask: { readonly mutate: () => void; readonly isPending: boolean };
  readonly onPreview: (action: Previewed) => void;
}) {
  const name = texts.names[action];
  const previewed = PREVIEWED.find((each) => each === action);
  if (previewed) {
    return (
      <Button size="xs" variant="default" onClick={() => onPreview(previewed)}>
        {name}
      </Button>
    );
  }
  return action === "query" ? (
    <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
      {name}
    </Button>
  ) : (
    <strong>{name}</strong>
  );
}
