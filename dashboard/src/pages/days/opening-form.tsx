import { Modal, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dateText } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import { formatMoney } from "../../base/money.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { DateField } from "../../components/forms/date-field.tsx";
import { NOTE_CHARS } from "../../components/forms/note-form.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { call } from "../../server/client.ts";
import { lanesQuery, type ReconciledLane } from "../reconciliation/lane-query.ts";
import { cacheDay } from "./day-query.ts";
import { messages } from "./messages.tsx";

const texts = messages.opening;

interface Opening {
  readonly lane: string;
  readonly day: string;
  /** Empty: that of the statement of the day. */
  readonly balance: string;
  readonly reason: string;
}

/** Asks for the first business day of a lane and its opening balance, then for a confirmation. */
export function OpeningForm({
  lane,
  asked,
  onClosed,
}: {
  readonly lane: string;
  /** The day of the current page. */
  readonly asked?: string;
  readonly onClosed: () => void;
}) {
  const { data: lanes } = useQuery(lanesQuery);
  const statement = lanes?.items.find((each) => each.lane === lane)?.opening_statement ?? null;
  const [typed, setTyped] = useState<Partial<Opening>>({});
  const opening = { lane, day: asked ?? statement?.day ?? "", balance: "", reason: "", ...typed };
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const name = useLaneName()(lane);
  // The form only opens the confirmation, which sends the fields.
  const ask = useMutation({ mutationFn: async () => setAsked(true) });
  const { day, balance, reason } = opening;
  const isEntered = balance.trim() !== "";
  const isIncomplete =
    day === "" ||
    (isEntered ? reason.trim().length < NOTE_CHARS.min : lanes !== undefined && statement === null);
  const ofStatement = statement?.day === day ? balanceOf(statement) : null;
  const open = async (): Promise<void> => {
    cacheDay(await openDays(opening));
    notifications.show({ message: texts.done(dateText(day)) });
    onClosed();
    if (day === asked) return;
    await navigate({ to: "/reconciliation/days", search: { lane, month: day.slice(0, 7) } });
  };
  return (
    <>
      <Modal
        opened={!isAsked}
        onClose={() => {
          if (!isAsked) onClosed();
        }}
        title={texts.title(name)}
        closeButtonProps={{ "aria-label": texts.close }}
        centered
        // The lock is an inline style, which the content security policy refuses.
        lockScroll={false}
      >
        <ActionForm action={ask} verb={texts.save} disabled={isIncomplete}>
          <Text size="sm">{texts.explained}</Text>
          <Fields
            of={opening}
            statement={statement}
            onChange={(change) => setTyped({ ...typed, ...change })}
          />
        </ActionForm>
      </Modal>
      <ConfirmAction
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={texts.confirmTitle}
        sentence={texts.confirm(name, dateText(day), enteredBalance(opening) ?? ofStatement)}
        verb={texts.save}
        onConfirm={open}
      />
    </>
  );
}

const openDays = ({ lane, day, balance, reason }: Opening) =>
  call("POST /api/days/:day/open", {
    params: { day },
    body: {
      lane,
      ...(balance.trim() !== "" && { balance: balance.trim(), reason: reason.trim() }),
    },
  });

type OpeningStatement = ReconciledLane["opening_statement"];

const balanceOf = ({ currency, opening }: NonNullable<OpeningStatement>): string =>
  formatMoney({ currency, amount: opening });

/** The day, and the balance with its source unless the statement of the day has the balance. */
function Fields({
  of: { day, balance, reason },
  statement,
  onChange,
}: {
  readonly of: Opening;
  /** The first statement with balances. Null: there is none. */
  readonly statement: OpeningStatement;
  readonly onChange: (change: Partial<Opening>) => void;
}) {
  const isOfStatement = statement !== null && statement.day === day;
  const hint = isOfStatement
    ? texts.otherBalanceHint
    : statement === null
      ? undefined
      : texts.balanceHint;
  return (
    <>
      <DateField
        label={texts.day}
        value={day}
        onChange={(next) => onChange({ day: next })}
        required
      />
      {isOfStatement ? (
        <Text size="sm">
          {texts.ofStatement(balanceOf(statement), isolateDirection(statement.file_name))}
        </Text>
      ) : null}
      <TextInput
        label={isOfStatement ? texts.otherBalance : texts.balance}
        description={hint}
        inputMode="decimal"
        value={balance}
        onChange={({ currentTarget }) => onChange({ balance: currentTarget.value })}
        withAsterisk={statement === null}
      />
      {isOfStatement && balance.trim() === "" ? null : (
        <TextInput
          label={texts.reason}
          description={texts.reasonHint}
          maxLength={NOTE_CHARS.max}
          value={reason}
          onChange={({ currentTarget }) => onChange({ reason: currentTarget.value })}
          withAsterisk={statement === null || balance.trim() !== ""}
        />
      )}
    </>
  );
}

/** The balance as entered, with the currency of the lane. Null: that of the statement. */
const enteredBalance = ({ lane, balance }: Opening): string | null =>
  balance.trim() === ""
    ? null
    : formatMoney({ currency: lane.split("/").at(-1) ?? "", amount: balance.trim() });
