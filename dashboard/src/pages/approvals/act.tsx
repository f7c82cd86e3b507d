import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiProblem, call } from "../../client.ts";
import { AmountInput } from "../../components/amount-input.tsx";
import { ConfirmInNumbers, passedOf } from "../../components/confirm-in-numbers.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { useNow } from "../../components/when.tsx";
import { formatMoney, readAmount } from "../../money.ts";
import { apart, plural } from "../../words.ts";
import { Outcome } from "./outcome.tsx";
import { askAgainWhatWaits } from "./queries.ts";
import type { Sheet } from "./sheet.tsx";
import { approveVerb, type Chosen, lateTime, sendOf, standingChoice } from "./send-choice.ts";
import { WhenItGoes } from "./when-it-goes.tsx";
import classes from "./sheet.module.css";

/** Yes, no, or a question. Where one may not, the button is absent and the reason stands in its place. */
export function Act({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  const { approve, withdraw } = sheet.you;
  const isWaiting = sheet.state === "awaiting_approval";
  const [overtaken, setOvertaken] = useState<ApiProblem | null>(null);
  const overtake: Overtake = (error) => {
    if (!isMeanwhile(error)) return false;
    setOvertaken(error);
    again();
    return true;
  };
  return (
    <Section title="Your word">
      {overtaken ? <Overtaken by={overtaken} sheet={sheet} /> : null}
      {approve.may ? (
        // Other content is other totals, and another time another word: nothing that was typed for what it was stays.
        <Approve
          key={`${sheet.content_digest} ${sheet.send?.at ?? ""}`}
          sheet={sheet}
          again={again}
          overtake={overtake}
        />
      ) : (
        <Text>{isWaiting ? approve.why_not : "It does not wait for approval."}</Text>
      )}
      <Group>
        <GiveBack sheet={sheet} again={again} overtake={overtake} />
        <Ask sheet={sheet} />
        {withdraw.may ? <Withdraw sheet={sheet} again={again} /> : null}
      </Group>
    </Section>
  );
}

/** What somebody else did while the sheet was open. */
const MEANWHILE = new Set(["wrong_state", "content_changed"]);
const isMeanwhile = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && MEANWHILE.has(error.code);

/** Shows what is so now, where that is why something was refused. */
type Overtake = (error: unknown) => boolean;

function Overtaken({ by, sheet }: { readonly by: ApiProblem; readonly sheet: Sheet }) {
  return (
    <Alert role="alert" color="orange" variant="light" title="Your word was not taken">
      {sheet.state === "awaiting_approval" ? (
        <Text size="sm">{by.message}</Text>
      ) : (
        <Outcome of={sheet} />
      )}
    </Alert>
  );
}

type Part = { readonly sheet: Sheet; readonly again: () => void; readonly overtake: Overtake };

function Approve({ sheet, again, overtake }: Part) {
  const { batch_id: id, content_digest, totals, policy } = sheet;
  const [changed, setChanged] = useState<Chosen | null>(null);
  const nowMs = useNow();
  const late = lateTime(sheet.send, nowMs);
  const chosen = changed ?? standingChoice(sheet.send, nowMs);
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
          send: sendOf(chosen, late),
          totals: totals.map(({ currency }) => ({
            currency,
            amount: readAmount(typed[currency] ?? "", currency).amount ?? "",
          })),
        },
      }),
    onSuccess: async ({ missing }) => {
      await askAgainWhatWaits(client);
      if (missing > 0) {
        notifications.show({ message: `Approved by you. ${plural(missing, "approval")} missing.` });
        again();
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
    <form className={classes.form} onSubmit={submit} aria-label="Approve this batch">
      <Stack gap="sm">
        <Text size="sm">
          Type what it comes to from your own papers. It is compared to the last digit.
        </Text>
        {totals.map(({ currency }) => (
          <AmountInput
            key={currency}
            label={`Total in ${currency}`}
            currency={currency}
            value={typed[currency] ?? ""}
            onChange={(text) => setTyped((before) => ({ ...before, [currency]: text }))}
            required
          />
        ))}
        <WhenItGoes id={id} chosen={chosen} change={setChanged} late={late} />
        {approve.error && !isMeanwhile(approve.error) ? <ErrorState error={approve.error} /> : null}
        <Button type="submit" loading={approve.isPending} disabled={!isReady} fullWidth>
          {approveVerb(payouts, policy.missing, chosen, late)}
        </Button>
      </Stack>
    </form>
  );
}

const sumsText = ({ totals }: Sheet): string =>
  totals.map((total) => formatMoney(total)).join(", ");

function GiveBack({ sheet, again, overtake }: Part) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  return (
    <>
      {sheet.you.reject.may ? (
        <Button variant="default" onClick={() => setOpened(true)}>
          Give it back
        </Button>
      ) : null}
      <ConfirmInNumbers
        opened={opened}
        onClose={() => setOpened(false)}
        title="Give the batch back"
        sentence={`${sumsText(sheet)} will not be sent. ${apart(sheet.maker.name)} reads the reason, corrects the batch, and asks anew.`}
        verb="Give it back"
        danger
        asksReason
        passed={passedOf(sheet.you.reject)}
        onConfirm={async ({ reason }) => {
          const input = { params: { id: sheet.batch_id }, body: { reason } };
          try {
            await call("POST /api/batches/:id/reject", input);
          } catch (error) {
            if (overtake(error)) await askAgainWhatWaits(client);
            throw error;
          }
          await askAgainWhatWaits(client);
          again();
        }}
      />
    </>
  );
}

function Ask({ sheet }: Pick<Part, "sheet">) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {sheet.you.reject.may ? (
        <Button variant="default" onClick={() => setOpened(true)}>
          Ask a question
        </Button>
      ) : null}
      <ConfirmInNumbers
        opened={opened}
        onClose={() => setOpened(false)}
        title="Ask a question"
        sentence="The batch goes on waiting. Your question stands in its timeline."
        verb="Ask"
        asksReason
        passed={passedOf(sheet.you.reject)}
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/question", {
            params: { id: sheet.batch_id },
            body: { question: reason },
          });
          notifications.show({ message: "Your question stands in the timeline of the batch." });
        }}
      />
    </>
  );
}

function Withdraw({ sheet, again }: Pick<Part, "sheet" | "again">) {
  const withdraw = useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/withdraw-approval", { params: { id: sheet.batch_id } }),
    onSuccess: again,
  });
  return (
    <>
      <Button variant="default" onClick={() => withdraw.mutate()}>
        Take my approval back
      </Button>
      {withdraw.error ? <Alert color="red">{withdraw.error.message}</Alert> : null}
    </>
  );
}
