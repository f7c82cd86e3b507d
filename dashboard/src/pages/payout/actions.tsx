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
import { Section } from "../../components/section.tsx";
import { useMay } from "../../server/session.ts";
import { PayoutResolution } from "./payout-resolution.tsx";
import { EndWait, mayWait } from "./end-wait.tsx";
import { messages } from "./messages.ts";
import { cachePayout, type PayoutView } from "./payout-query.ts";
import classes from "./payout.module.css";

const texts = messages.actions;

/** The place of the manual resolution on the page. */
export const RESOLUTION_ID = "resolution";

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
    : [...actions, NO_LONGER_ON_HOLD];

/** The actions on an unsent payout. A dialog previews them and asks for the reason. */
const PREVIEWED = ["hold_back", "release", "cancel"] as const;
type Previewed = (typeof PREVIEWED)[number];

/** The button that queries the status of the payout, for operators. */
export function QueryStatus({ payout: { code, actions } }: { readonly payout: PayoutView }) {
  const mayOperate = useMay("operate");
  const ask = useMutation({
    mutationFn: () => call("POST /api/payouts/:code/query", { params: { code } }),
    onSuccess: cachePayout,
  });
  const query = actions.find(({ action }) => action === "query");
  if (!mayOperate || !query?.may) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        title={query.why}
        loading={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {texts.names.query}
      </Button>
      {ask.error ? <ErrorState error={ask.error} /> : null}
    </>
  );
}

/** Lists the actions that the reader can take, except the status query. Null: there are none. */
export function PayoutActions({ payout }: { readonly payout: PayoutView }) {
  const { code, actions, resolution, outlook } = payout;
  const mayOperate = useMay("operate");
  const [draft, setDraft] = useState(EMPTY_RESOLUTION);
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  // Manual resolution stays listed: it keeps the typed text of a form that is not available.
  const shown = withTypedResolution(actions, draft).filter(
    ({ action, may }) =>
      action !== "query" &&
      (action === "resolve" ? mayOperate || resolution !== null : may && mayOperate),
  );
  const waits = mayWait(outlook) && (mayOperate || payout.wait_ending !== null);
  if (shown.length === 0 && !waits && chosen === null) return null;
  const preview = (action: Previewed): void =>
    setChosen({ action, selection: { codes: [code] }, openedAt: Date.now() });
  return (
    <Section title={texts.title}>
      <ul className={classes.actions}>
        {shown.map(({ action, may, why }) => (
          <li key={action} id={action === "resolve" ? RESOLUTION_ID : undefined}>
            <ActionName action={action} onPreview={preview} />
            <p className={classes.why}>
              {may ? "" : `${texts.unavailable} `}
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
      {waits ? <EndWait payout={payout} /> : null}
    </Section>
  );
}

/** Adds a note to the history of the payout, for operators. */
export function PayoutNote({ code }: { readonly code: string }) {
  return useMay("operate") ? (
    <details className={classes.note}>
      <summary>{texts.addNote}</summary>
      <NoteForm
        label={texts.note}
        verb={texts.addNote}
        leave={(text) =>
          call("POST /api/payouts/:code/notes", { params: { code }, body: { text } })
        }
        onLeft={cachePayout}
      />
    </details>
  ) : null;
}

/** The button of an action, or its title if it has a form instead. */
function ActionName({
  action,
  onPreview,
}: {
  readonly action: Listed[number]["action"];
  readonly onPreview: (action: Previewed) => void;
}) {
  const name = texts.names[action];
  const previewed = PREVIEWED.find((each) => each === action);
  return previewed ? (
    <Button size="xs" variant="default" onClick={() => onPreview(previewed)}>
      {name}
    </Button>
  ) : (
    <strong>{name}</strong>
  );
}
