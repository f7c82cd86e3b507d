import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiProblem, call } from "../../server/client.ts";
import { AmountInput } from "../../components/forms/amount-input.tsx";
import { ConfirmAction, unavailableReason } from "../../components/forms/confirm-action.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { useNow } from "../../components/timestamp.tsx";
import { formatMoney, readAmount } from "../../base/money.ts";
import { isolateDirection } from "../../base/text.ts";
import { messages } from "./messages.tsx";
import { DecisionOutcome } from "./decision-outcome.tsx";
import { refetchApprovals } from "./queries.ts";
import {
  approveButtonText,
  type SendTimeChoice,
  passedSendTime,
  requestedSendTime,
  initialChoice,
} from "./send-time-choice.ts";
import { SendTimeFields } from "./send-time-fields.tsx";
import classes from "./approval-sheet.module.css";
import type { ApprovalSheet } from "./queries.ts";

const texts = messages.decision;

/** The actions of an approver. If the reader may not approve, the reason replaces the form. */
export function Decision({
  sheet,
  reload,
}: {
  readonly sheet: ApprovalSheet;
  readonly reload: () => void;
}) {
  const { approve, withdraw } = sheet.you;
  const isWaiting = sheet.state === "awaiting_approval";
  const [overtaken, setOvertaken] = useState<ApiProblem | null>(null);
  const overtake: Overtake = (error) => {
    if (!isOvertaken(error)) return false;
    setOvertaken(error);
    reload();
    return true;
  };
  return (
    <Section title={texts.title}>
      {overtaken ? <Overtaken by={overtaken} sheet={sheet} /> : null}
      {approve.may ? (
        // The key discards entered totals when the content or the send time changes.
        <Approve
          key={`${sheet.content_digest} ${sheet.send?.at ?? ""}`}
          sheet={sheet}
          reload={reload}
          overtake={overtake}
        />
      ) : (
        <Text>{isWaiting ? approve.why_not : texts.notWaiting}</Text>
      )}
      <Group>
        <SendBack sheet={sheet} reload={reload} overtake={overtake} />
        <AskUploader sheet={sheet} />
        {withdraw.may ? <Withdraw sheet={sheet} reload={reload} /> : null}
      </Group>
    </Section>
  );
}

/** Errors caused by another person's action while the page was open. */
const OVERTAKEN_CODES = new Set(["wrong_state", "content_changed"]);
const isOvertaken = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && OVERTAKEN_CODES.has(error.code);

/** Shows the current state of the batch if that is why a request was refused; false otherwise. */
type Overtake = (error: unknown) => boolean;

function Overtaken({ by, sheet }: { readonly by: ApiProblem; readonly sheet: ApprovalSheet }) {
  return (
    <Alert role="alert" color="orange" variant="light" title={texts.notRecorded}>
      {sheet.state === "awaiting_approval" ? (
        <Text size="sm">{by.message}</Text>
      ) : (
        <DecisionOutcome of={sheet} />
      )}
    </Alert>
  );
}

type Part = {
  readonly sheet: ApprovalSheet;
  readonly reload: () => void;
  readonly overtake: Overtake;
};

function Approve({ sheet, reload, overtake }: Part) {
  const { batch_id: id, content_digest, totals, policy } = sheet;
  const [changed, setChanged] = useState<SendTimeChoice | null>(null);
  const nowMs = useNow();
  const late = passedSendTime(sheet.send, nowMs);
  const chosen = changed ?? initialChoice(sheet.send, nowMs);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const client = useQueryClient();
  const navigate = useNavigate();
  const isTimed = chosen.kind === "now" || chosen.date !== "";
  const isReady = isTimed && totals.every(({ currency }) => (typed[currency] ?? "") !== "");

  const approve = useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/approve", {
        params: { id },
        body: {
          content_digest,
          send: requestedSendTime(chosen, late),
          totals: totals.map(({ currency }) => ({
            currency,
            amount: readAmount(typed[currency] ?? "", currency).amount ?? "",
          })),
        },
      }),
    onSuccess: async ({ missing }) => {
      await refetchApprovals(client);
      if (missing > 0) {
        notifications.show({ message: texts.recorded(missing) });
        reload();
      } else await navigate({ to: "/batches/$id", params: { id } });
    },
    onError: overtake,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    approve.mutate();
  };

  const payouts = totals.reduce((sum, each) => sum + each.payouts, 0);
  return (
    <form className={classes.form} onSubmit={submit} aria-label={texts.form}>
      <Stack gap="sm">
        <Text size="sm">{texts.enterTotals}</Text>
        {totals.map(({ currency }) => (
          <AmountInput
            key={currency}
            label={texts.totalIn(currency)}
            currency={currency}
            value={typed[currency] ?? ""}
            onChange={(text) => setTyped((before) => ({ ...before, [currency]: text }))}
            required
          />
        ))}
        <SendTimeFields id={id} chosen={chosen} change={setChanged} late={late} />
        {approve.error && !isOvertaken(approve.error) ? <ErrorState error={approve.error} /> : null}
        <Button type="submit" loading={approve.isPending} disabled={!isReady} fullWidth>
          {approveButtonText(payouts, policy.missing, chosen, late)}
        </Button>
      </Stack>
    </form>
  );
}

const sumsText = ({ totals }: ApprovalSheet): string =>
  totals.map((total) => formatMoney(total)).join(", ");

function SendBack({ sheet, reload, overtake }: Part) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  return (
    <>
      {sheet.you.reject.may ? (
        <Button variant="default" onClick={() => setOpened(true)}>
          {texts.sendBack}
        </Button>
      ) : null}
      <ConfirmAction
        opened={opened}
        onClose={() => setOpened(false)}
        title={texts.sendBackTitle}
        sentence={texts.sendBackText(sumsText(sheet), isolateDirection(sheet.maker.name))}
        verb={texts.sendBack}
        danger
        asksReason
        passed={unavailableReason(sheet.you.reject)}
        onConfirm={async ({ reason }) => {
          const input = { params: { id: sheet.batch_id }, body: { reason } };
          try {
            await call("POST /api/batches/:id/reject", input);
          } catch (error) {
            if (overtake(error)) await refetchApprovals(client);
            throw error;
          }
          await refetchApprovals(client);
          reload();
        }}
      />
    </>
  );
}

function AskUploader({ sheet }: Pick<Part, "sheet">) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {sheet.you.reject.may ? (
        <Button variant="default" onClick={() => setOpened(true)}>
          {texts.ask}
        </Button>
      ) : null}
      <ConfirmAction
        opened={opened}
        onClose={() => setOpened(false)}
        title={texts.ask}
        sentence={texts.askText}
        verb={texts.askVerb}
        asksReason
        passed={unavailableReason(sheet.you.reject)}
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/question", {
            params: { id: sheet.batch_id },
            body: { question: reason },
          });
          notifications.show({ message: texts.asked });
        }}
      />
    </>
  );
}

function Withdraw({ sheet, reload }: Pick<Part, "sheet" | "reload">) {
  const withdraw = useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/withdraw-approval", { params: { id: sheet.batch_id } }),
    onSuccess: reload,
  });
  return (
    <>
      <Button variant="default" onClick={() => withdraw.mutate()}>
        {texts.withdraw}
      </Button>
      {withdraw.error ? <Alert color="red">{withdraw.error.message}</Alert> : null}
    </>
  );
}
