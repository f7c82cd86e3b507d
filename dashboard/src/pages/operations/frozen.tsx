import { Button, Checkbox, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import classes from "./operations.module.css";
import { countText, payoutsText } from "./seen.ts";

type Freeze = NonNullable<Answer<"GET /api/operations/freeze">["freeze"]>;
type FrozenLane = Freeze["lanes"][number];

const COLUMNS: readonly Column<FrozenLane>[] = [
  { key: "lane", header: "Lane", names: true, cell: ({ lane }) => lane },
  { key: "open", header: "Open payouts", numeric: true, cell: ({ open }) => countText(open) },
  {
    key: "unasked",
    header: "Not asked for yet",
    numeric: true,
    cell: ({ unasked }) => countText(unasked),
  },
];

/** Why nothing is sent, what has been asked for since, and the way back. */
export function Frozen({ isFrozen }: { readonly isFrozen: boolean }) {
  /** As it was when somebody wanted it to end; null: nobody is asked. */
  const [asked, setAsked] = useState<Freeze | null>(null);
  const { data: answer, error } = useQuery({
    queryKey: ["GET /api/operations/freeze"],
    queryFn: ({ signal }) => call("GET /api/operations/freeze", { signal }),
    enabled: isFrozen,
    refetchInterval: 10_000,
  });
  const freeze = isFrozen ? (answer?.freeze ?? null) : null;
  const isMeant = freeze !== null && freeze.epoch === asked?.epoch;
  const over = freeze === null ? "It sends again already." : "It was frozen anew.";
  return (
    <>
      {error && isFrozen && !answer ? <ErrorState error={error} /> : null}
      {freeze ? <HowItStands freeze={freeze} onEnd={() => setAsked(freeze)} /> : null}
      {asked ? (
        <Unfreeze
          freeze={isMeant ? freeze : asked}
          passed={isMeant ? null : over}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}

const unaskedOf = ({ lanes }: Freeze): number => lanes.reduce((sum, lane) => sum + lane.unasked, 0);

function HowItStands({ freeze, onEnd }: { readonly freeze: Freeze; readonly onEnd: () => void }) {
  const unasked = unaskedOf(freeze);
  return (
    <Section title="The ledger is frozen">
      <Text size="sm">
        {freeze.reason}
        {freeze.since ? (
          <>
            , since <When at={freeze.since} />
          </>
        ) : null}
        . Nothing is sent until every open payout was asked for, because this ledger may have
        forgotten what was sent.
      </Text>
      {freeze.lanes.length === 0 ? null : (
        <DataTable
          caption="What is open, and what of it was not asked for since"
          columns={COLUMNS}
          rows={freeze.lanes}
          rowKey={({ lane }) => lane}
        />
      )}
      <Found freeze={freeze} />
      <Text size="sm">
        Files that came in after the copy was made are unknown to this ledger, and would be taken
        for new. Compare the gateway&apos;s records of that time before any such file comes in.
      </Text>
      {freeze.since ? (
        <div className={classes.buttons}>
          <Button color="red" variant="outline" onClick={onEnd}>
            Let it send again
          </Button>
          <Text size="sm" c="dimmed">
            {unasked === 0
              ? "Every open payout was asked for."
              : `${payoutsText(unasked)} still to be asked for: leave the workers running.`}
          </Text>
        </div>
      ) : (
        <Text size="sm">
          This server has an older LEDGER_EPOCH. Set it to {freeze.epoch} if this is the ledger that
          you mean.
        </Text>
      )}
    </Section>
  );
}

function Found({ freeze }: { readonly freeze: Freeze }) {
  if (freeze.held_count === 0 && freeze.stray_count === 0) return null;
  return (
    <ul className={classes.causes}>
      {freeze.held_count === 0 ? null : (
        <li>
          {payoutsText(freeze.held_count)} held since then:{" "}
          {freeze.held.map(({ transaction_code }) => transaction_code).join(", ")}
          {freeze.held_count > freeze.held.length ? ", … (Failures has them all)" : ""}
        </li>
      )}
      {freeze.stray_count === 0 ? null : (
        <li>
          {countText(freeze.stray_count)} codes that this ledger does not have were named by
          callbacks: {freeze.stray_codes.join(", ")}
          {freeze.stray_count > freeze.stray_codes.length ? ", …" : ""}. They may be payouts that it
          forgot.
        </li>
      )}
    </ul>
  );
}

function Unfreeze({
  freeze,
  passed,
  onClose,
}: {
  readonly freeze: Freeze;
  /** Why this freeze is not to be ended any more: somebody else has, or another one has begun. */
  readonly passed: string | null;
  readonly onClose: () => void;
}) {
  const unasked = unaskedOf(freeze);
  const client = useQueryClient();
  const [holds, setHolds] = useState(false);
  return (
    <ConfirmInNumbers
      opened
      onClose={onClose}
      title="Let the ledger send again"
      verb="Let it send again"
      danger
      sentence={
        unasked === 0
          ? "Every open payout was asked for. What is approved and unknown to the gateway will be sent."
          : `${payoutsText(unasked)} were not asked for yet. The server refuses it, unless they are held for a person.`
      }
      asksReason
      passed={passed}
      onConfirm={async ({ reason }) => {
        const body = { epoch: freeze.epoch, reason, hold_unasked: holds };
        await call("POST /api/operations/unfreeze", { body });
        await client.invalidateQueries();
      }}
    >
      {unasked === 0 ? null : (
        <Checkbox
          label={`Hold ${payoutsText(unasked)} that could not be asked for`}
          checked={holds}
          onChange={({ currentTarget }) => setHolds(currentTarget.checked)}
        />
      )}
    </ConfirmInNumbers>
  );
}
