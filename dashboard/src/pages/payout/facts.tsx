import { Anchor, Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { call } from "../../server/client.ts";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { ConfirmAction } from "../../components/forms/confirm-action.tsx";
import { Amount } from "../../components/amount.tsx";
import { CopyableText } from "../../components/copyable-text.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { SentValue } from "../../components/payout/sent-value.tsx";
import { UserText } from "../../components/user-text.tsx";
import { isolateDirection } from "../../base/text.ts";
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

/** The payout code and callback URL. Those of an archived payout are in its file. */
const sentFacts = (payout: PayoutView): Facts =>
  payout.archive_file === null
    ? [
        [texts.payoutCode, <SentValue key="payout-code" of={payout.payout_code} />],
        [texts.callbackAddress, <SentValue key="callback" of={payout.callback_url} />],
      ]
    : [];

/** The facts of a payout. A user with the permission can reveal its encrypted details. */
export function PayoutFacts({ payout }: { readonly payout: PayoutView }) {
  const [shown, setShown] = useState<PayoutView["details"] | null>(null);
  const [asking, setAsking] = useState(false);
  const mayReveal = useMay("reveal");
  const { code, batch_id, batch_name, file_name, line, lane, reference, gateway_number } = payout;
  const facts: Facts = [
    [texts.amount, <Amount key="amount" of={payout} />],
    [texts.code, <CopyableText key="code" text={code} />],
    [
      texts.gatewayNumber,
      gateway_number ? <CopyableText key="number" text={gateway_number} /> : texts.noGatewayNumber,
    ],
    ...feeFacts(payout),
    [texts.reference, reference ?? "–"],
    [
      texts.batch,
      <Anchor key="batch" component={Link} to={`/batches/${batch_id}`} className={classes.code}>
        {batch_id}
      </Anchor>,
    ],
    ...(batch_name === null ? [] : ([[texts.batchName, batch_name]] as const)),
    [
      texts.file,
      <Fragment key="file">
        <UserText text={file_name} />, {texts.line(line)}
      </Fragment>,
    ],
    [texts.lane, <LaneName key="lane" lane={lane} />],
    ...(shown ?? payout.details).map(
      ({ field, text }) => [common.fields[field] ?? field, text] as const,
    ),
    ...sentFacts(payout),
  ];
  return (
    <>
      <FactList facts={facts} />
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
