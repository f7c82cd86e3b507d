import { Anchor, Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { call } from "../../server/client.ts";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { Amount } from "../../components/amount.tsx";
import { CopyableText } from "../../components/copyable-text.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { pixKeyName } from "../../components/payout/column-messages.ts";
import { SentValue } from "../../components/payout/sent-value.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { batchNameOf, isolateDirection } from "../../base/text.ts";
import { useMay } from "../../server/session.ts";
import { messages as common } from "../../base/messages.ts";
import { messages } from "./messages.ts";
import type { PayoutView } from "./payout-query.ts";
import classes from "./payout.module.css";

const texts = messages.facts;

/** The fee that the gateway reported. Empty: it has reported none. */
function feeFacts(payout: PayoutView): Facts {
  const { currency, fee, unreadable_fee: unreadable, earlier_fee: earlier } = payout;
  if (fee === null && unreadable === null) return [];
  return [
    [
      texts.fee,
      <Fragment key="fee">
        {fee === null ? null : <Amount of={{ currency, amount: fee }} />}{" "}
        {unreadable === null ? null : texts.unreadableFee(isolateDirection(unreadable))}
        {unreadable === null && earlier !== null
          ? texts.earlierFee(isolateDirection(earlier))
          : null}
      </Fragment>,
    ],
  ];
}

/**
 * A time without the time since then, which a printed receipt cannot show. A receipt has the year.
 */
const at = (time: string, year: boolean) => <Timestamp year={year} at={time} relative={false} />;

/** The details, with the bank code after the name of the bank, which is easier to read. */
function detailFacts(currency: string, details: PayoutView["details"]): Facts {
  const bank = details.find(({ field }) => field === "bank_name");
  const code = details.find(({ field }) => field === "bank_code");
  const pixKey = code && pixKeyName(currency, code.text);
  return details
    .filter(({ field }) => field !== "bank_code" || !bank)
    .toSorted((one, other) => Number(one.field === "user_id") - Number(other.field === "user_id"))
    .map(({ field, text }) => {
      if (field === "bank_name" && pixKey !== undefined) return [pixKey, text];
      const isOfBank = field === "bank_name" && code && code.text !== text;
      return [common.fields[field] ?? field, isOfBank ? texts.bank(text, code.text) : text];
    });
}

/** The facts of a receipt, which are printed. */
function receiptFacts(payout: PayoutView, details: PayoutView["details"]): Facts {
  const { code, gateway_number, payer, lane, reference, sent_at, settled_at } = payout;
  return [
    [texts.amount, <Amount key="amount" of={payout} />],
    ...detailFacts(payout.currency, details),
    ...(reference === null ? [] : ([[texts.reference, reference]] as const)),
    ...(sent_at === null ? [] : ([[texts.sent, at(sent_at, settled_at !== null)]] as const)),
    ...(settled_at === null ? [] : ([[texts.settled, at(settled_at, true)]] as const)),
    ...(payer === null ? [] : ([[texts.payer, payer]] as const)),
    [texts.account, <LaneName key="lane" lane={lane} />],
    [texts.code, <CopyableText key="code" text={code} />],
    ...(gateway_number === null
      ? []
      : ([[texts.gatewayNumber, <CopyableText key="number" text={gateway_number} />]] as const)),
  ];
}

/** The row of the payout in its batch, and its fee. */
function batchFacts(payout: PayoutView): Facts {
  const { batch_id, file_name, line } = payout;
  const title = batchNameOf(payout);
  return [
    ...feeFacts(payout),
    [
      texts.batch,
      <Fragment key="batch">
        <Anchor component={Link} to={`/batches/${batch_id}`} size="sm">
          <UserText text={title} />
        </Anchor>
        , <span className={classes.whole}>{texts.line(line)}</span>
      </Fragment>,
    ],
    ...(title === file_name
      ? []
      : ([[texts.file, <UserText key="file" text={file_name} />]] as const)),
  ];
}

/** Codes for support. The payout code and callback URL of an archived payout are in its file. */
const technicalFacts = (payout: PayoutView): Facts => [
  [texts.batchId, <CopyableText key="batch" text={payout.batch_id} />],
  [texts.lane, <CopyableText key="lane" text={payout.lane} />],
  ...(payout.archive_file === null
    ? ([
        [texts.payoutCode, <SentValue key="payout-code" of={payout.payout_code} />],
        [texts.callbackAddress, <SentValue key="callback" of={payout.callback_url} />],
      ] as const)
    : []),
];

/** The facts of a payout. A user with the permission can reveal its encrypted details. */
export function PayoutFacts({ payout }: { readonly payout: PayoutView }) {
  const [shown, setShown] = useState<PayoutView["details"] | null>(null);
  const [asking, setAsking] = useState(false);
  const mayReveal = useMay("reveal");
  const { code } = payout;
  return (
    <>
      <FactList facts={receiptFacts(payout, shown ?? payout.details)} />
      <div className={`${classes.screen} ${classes.more}`}>
        <FactList facts={batchFacts(payout)} />
        <details>
          <summary>{texts.technical}</summary>
          <FactList facts={technicalFacts(payout)} />
        </details>
      </div>
      {mayReveal ? (
        <Group mt="sm">
          {shown ? (
            <Button variant="default" size="xs" onClick={() => setShown(null)}>
              {texts.hideAccount}
            </Button>
          ) : (
            <Button variant="default" size="xs" onClick={() => setAsking(true)}>
              {texts.showAccount}
            </Button>
          )}
        </Group>
      ) : null}
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.showAccount}
        sentence={texts.showSentence}
        verb={texts.showVerb}
        asksReason
        onConfirm={async ({ reason }) => {
          const answer = await call("POST /api/payouts/:code/reveal", {
            params: { code },
            body: { reason },
          });
          setShown(answer.details);
        }}
      />
    </>
  );
}
