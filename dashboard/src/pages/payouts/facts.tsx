import { Anchor, Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { Amount } from "../../components/amount.tsx";
import { Copied } from "../../components/copied.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { Sent } from "../../components/sent.tsx";
import { Given } from "../../components/given.tsx";
import { useMay } from "../../session.ts";
import { FIELD_NAMES } from "../../words.ts";
import type { PayoutView } from "./payout-query.ts";
import classes from "./payout.module.css";

export function PayoutFacts({ payout }: { readonly payout: PayoutView }) {
  const [shown, setShown] = useState<PayoutView["details"] | null>(null);
  const [asking, setAsking] = useState(false);
  const mayReveal = useMay("reveal");
  const { code, batch_id, batch_name, file_name, line, lane, reference, gateway_number } = payout;
  const facts: Facts = [
    ["Amount", <Amount key="amount" of={payout} />],
    ["Code", <Copied key="code" text={code} />],
    ["Gateway number", gateway_number ? <Copied key="number" text={gateway_number} /> : "none yet"],
    ["Reference", reference ?? "–"],
    [
      "Batch",
      <Anchor key="batch" component={Link} to={`/batches/${batch_id}`} className={classes.code}>
        {batch_id}
      </Anchor>,
    ],
    ...(batch_name === null ? [] : ([["Its name", batch_name]] as const)),
    [
      "File",
      <Fragment key="file">
        <Given text={file_name} />, line {line}
      </Fragment>,
    ],
    ["Lane", lane],
    ...(shown ?? payout.details).map(
      ({ field, text }) => [FIELD_NAMES[field] ?? field, text] as const,
    ),
    ["Payout code", <Sent key="payout-code" of={payout.payout_code} />],
    ["Callback address", <Sent key="callback" of={payout.callback_url} />],
  ];
  return (
    <>
      <FactList facts={facts} />
      {mayReveal ? (
        <Group mt="sm">
          {shown ? (
            <Button variant="default" size="xs" onClick={() => setShown(null)}>
              Cover the account again
            </Button>
          ) : (
            <Button variant="default" size="xs" onClick={() => setAsking(true)}>
              Show the account in full
            </Button>
          )}
        </Group>
      ) : null}
      <ConfirmInNumbers
        opened={asking}
        onClose={() => setAsking(false)}
        title="Show the account in full"
        sentence="One account is shown to you, until you leave the page. That you looked at it, and why, goes on the audit log."
        verb="Show 1 account"
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
