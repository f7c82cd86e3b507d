import { Alert, Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { ApiProblem, call, type Input } from "../../../server/client.ts";
import { AmountInput } from "../../../components/forms/amount-input.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import { readAmount, sameAmount } from "../../../base/money.ts";
import { batchName, isolateDirection } from "../../../base/text.ts";
import { batchQuery } from "../../intake/queries.ts";
import { showFirstLeft } from "./acknowledgements.ts";
import { isOvertaken, type Part } from "./decision-part.ts";
import { messages } from "../messages.tsx";
import { payoutsIn } from "../payouts-in.ts";
import { refetchApprovals } from "../queries.ts";
import {
  approveButtonText,
  initialChoice,
  passedSendTime,
  requestedSendTime,
  type SendTimeChoice,
} from "../send-time-choice.ts";
import { SendTimeFields } from "../send-time-fields.tsx";
import classes from "./decision.module.css";

const texts = messages.decision;

const TOTALS_DIFFER = "totals_differ";
const TOTAL_INPUTS = "input[inputmode=decimal]";

/** The fields of an approval: each total from the approver's own records, and the send time. */
export function ApproveForm({
  children,
  onCheck = showFirstLeft,
  ...part
}: Part & {
  /** Shows the first finding that is not ticked. */
  readonly onCheck?: () => void;
  /** Other actions, before the button that approves. */
  readonly children?: ReactNode;
}) {
  const { sheet, acknowledgements } = part;
  const { batch_id: id, totals, policy } = sheet;
  const [changed, setChanged] = useState<SendTimeChoice | null>(null);
  const nowMs = useNow();
  const late = passedSendTime(sheet.send, nowMs);
  const chosen = changed ?? initialChoice(sheet.send, nowMs);
  const [typed, setTyped] = useState<TypedTotals>({});
  const isTimed = chosen.kind === "now" || chosen.date !== "";
  const left = totals.filter(({ currency }) => (typed[currency] ?? "") === "").length;

  const verb = approveButtonText(payoutsIn(totals), policy.missing, chosen, late);
  const approve = useApprove(part, verb, () => ({
    acknowledged: [...acknowledgements.given],
    send: requestedSendTime(chosen, late),
    totals: totals.map(({ currency }) => ({
      currency,
      amount: readAmount(typed[currency] ?? "", currency).amount ?? "",
    })),
  }));
  const [compared, setCompared] = useState<TypedTotals>({});
  const isRefusedTotal =
    approve.error instanceof ApiProblem && approve.error.code === TOTALS_DIFFER;
  const isShownElsewhere =
    isOvertaken(approve.error) || (isRefusedTotal && totals.some((total) => isWrong(total, typed)));
  const problem = isShownElsewhere ? null : approve.error;
  const alert = useShownError(problem);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // Enter in a single field submits a form even without its button.
    if (acknowledgements.left.length > 0) return onCheck();
    setCompared(typed);
    if (!focusWrongTotal(event.currentTarget, totals, typed)) approve.mutate();
  };

  return (
    <form className={classes.form} onSubmit={submit} aria-label={texts.form}>
      <Text size="xs" c="dimmed" className={classes.explanation}>
        {texts.enterTotals}
      </Text>
      <TotalFields totals={totals} typed={typed} change={setTyped} compared={compared} />
      <div className={classes.time}>
        <SendTimeFields id={id} chosen={chosen} change={setChanged} late={late} />
        {chosen.kind === "now" ? <MissedCutOffs id={id} /> : null}
      </div>
      <div ref={alert} className={classes.alert}>
        {problem ? <ErrorState error={problem} /> : null}
      </div>
      <div className={classes.actions}>
        {children}
        <FindingsLeft of={acknowledgements} onCheck={onCheck}>
          <SubmitButton isPending={approve.isPending} isReady={left === 0 && isTimed} verb={verb} />
        </FindingsLeft>
      </div>
    </form>
  );
}

const SubmitButton = ({
  isPending,
  isReady,
  verb,
}: {
  readonly isPending: boolean;
  readonly isReady: boolean;
  readonly verb: string;
}) => (
  <Button
    type="submit"
    size="md"
    loading={isPending}
    disabled={!isReady}
    className={classes.submit}
  >
    {verb}
  </Button>
);

/** Shows a way to the next finding instead of the button that approves, until each is ticked. */
export const FindingsLeft = ({
  of: { left },
  onCheck = showFirstLeft,
  children,
}: {
  readonly of: Part["acknowledgements"];
  readonly onCheck?: () => void;
  readonly children: ReactNode;
}) =>
  left.length === 0 ? (
    children
  ) : (
    <Button size="md" variant="light" onClick={onCheck}>
      {texts.findingsLeft(left.length)}
    </Button>
  );

type Approval = NonNullable<Input<"POST /api/batches/:id/approve">["body"]>;

/** The request that approves the batch, and the page that follows. */
function useApprove(
  { sheet, reload, overtake }: Part,
  verb: string,
  entered: () => Omit<Approval, "content_digest">,
) {
  const { batch_id: id, content_digest } = sheet;
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/approve", {
        params: { id },
        confirms: texts.confirms(verb, isolateDirection(batchName(sheet))),
        body: { content_digest, ...entered() },
      }),
    onSuccess: async ({ missing }) => {
      await refetchApprovals(client);
      if (missing > 0) {
        notifications.show({ message: texts.recorded(missing) });
        reload();
        return;
      }
      // Otherwise the page of the batch would still show it as awaiting approval for a moment.
      await client.fetchQuery({ ...batchQuery(id), staleTime: 0 });
      await navigate({ to: "/batches/$id", params: { id } });
    },
    onError: (error) => overtake(error),
  });
}

/** The totals as typed, by currency. */
type TypedTotals = Readonly<Record<string, string>>;

function TotalFields({
  totals,
  typed,
  change,
  compared,
}: {
  readonly totals: Part["sheet"]["totals"];
  readonly typed: TypedTotals;
  readonly change: (typed: TypedTotals) => void;
  /** The totals that were typed when the approver last pressed the button. */
  readonly compared: TypedTotals;
}) {
  return totals.map((total) => {
    const { currency } = total;
    const value = typed[currency] ?? "";
    const isMarked = compared[currency] === value && isWrong(total, typed);
    return (
      <div key={currency} className={classes.total}>
        <AmountInput
          label={texts.totalIn(currency)}
          currency={currency}
          value={value}
          onChange={(text) => change({ ...typed, [currency]: text })}
          mismatch={isMarked ? texts.differs : null}
          required
        />
      </div>
    );
  });
}

/** Moves the focus to the first wrong total. Returns whether there is one. */
function focusWrongTotal(
  form: HTMLFormElement,
  totals: Part["sheet"]["totals"],
  typed: TypedTotals,
): boolean {
  const wrong = totals.findIndex((total) => isWrong(total, typed));
  form.querySelectorAll<HTMLInputElement>(TOTAL_INPUTS)[wrong]?.focus();
  return wrong !== -1;
}

/** The dashboard says at once which total differs. The server compares them again. */
function isWrong(
  { currency, amount }: Part["sheet"]["totals"][number],
  typed: TypedTotals,
): boolean {
  const entered = readAmount(typed[currency] ?? "", currency).amount;
  return entered !== null && !sameAmount(entered, amount);
}

/** Scrolls an error into view, which a small screen may show outside its visible part. */
function useShownError(problem: Error | null) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) element.current?.scrollIntoView({ block: "center" });
  }, [problem]);
  return element;
}

/** The cut-offs that the batch misses if it is sent immediately. */
function MissedCutOffs({ id }: { readonly id: string }) {
  const { data: batch } = useQuery(batchQuery(id));
  return (batch?.misses ?? []).length === 0 ? null : (
    <Alert color="orange" variant="light" p="xs" className={classes.missed}>
      {batch?.misses.map((miss) => (
        <Text key={miss} size="xs">
          {messages.sheet.missedCutOff(miss)}
        </Text>
      ))}
    </Alert>
  );
}
