import { Button, Checkbox, Radio, Text } from "@mantine/core";
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
      <Forgotten freeze={freeze} />
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

/** What may be paid twice, and what nobody can know. */
function Forgotten({ freeze: { lost, quarantine, ...memory } }: { readonly freeze: Freeze }) {
  return (
    <>
      {lost.length === 0 ? null : (
        <ul className={classes.causes}>
          {lost.map((each) => (
            <li key={each.batch_id}>
              This ledger has forgotten {each.file} (batch {each.batch_id}), taken in{" "}
              <When at={each.taken_in_at} />: {payoutsText(each.rows)}, {amountsText(each.totals)}.
              They may have been paid.
            </li>
          ))}
        </ul>
      )}
      {quarantine.length === 0 ? null : (
        <ul className={classes.causes}>
          {quarantine.map((each) => (
            <li key={each.batch_id}>
              {each.file} (batch {each.batch_id}) arrived <When at={each.arrived_at} /> and is in
              quarantine: {payoutsText(each.rows)}
            </li>
          ))}
        </ul>
      )}
      <Text size="sm">
        {memory.memory_covers
          ? "This server remembers every batch that it has handled since the backup. What only other machines have handled is listed once payrun has run there since the freeze."
          : "The restore memory of this server does not reach back to the backup. Files that were paid since then are not recognised when they come in again: compare the gateway's records of that time before any such file comes in."}
      </Text>
    </>
  );
}

const amountsText = (totals: Readonly<Record<string, string>>): string =>
  Object.entries(totals)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(", ");

/** One decision for each batch in quarantine and each lost one; none is taken for granted. */
function Decisions({
  freeze: { lost, quarantine, memory_covers: covers },
  decided,
  onDecide,
}: {
  readonly freeze: Freeze;
  readonly decided: Decided;
  readonly onDecide: (decided: Decided) => void;
}) {
  const { choices, seen, withoutMemory } = decided;
  return (
    <>
      {lost.map(({ batch_id: id, file }) => (
        <Checkbox
          key={id}
          label={`I know that this ledger has forgotten ${file} (batch ${id})`}
          checked={seen.includes(id)}
          onChange={({ currentTarget: { checked } }) => {
            const others = seen.filter((each) => each !== id);
            onDecide({ ...decided, seen: checked ? [...others, id] : others });
          }}
        />
      ))}
      {quarantine.map(({ batch_id: id, file }) => (
        <Radio.Group
          key={id}
          label={`${file} (batch ${id})`}
          value={choices[id] ?? ""}
          onChange={(choice) => onDecide({ ...decided, choices: { ...choices, [id]: choice } })}
        >
          <Radio value="keep" label="Keep it in quarantine" />
          <Radio value="release" label="Release it: none of its payouts was paid" />
        </Radio.Group>
      ))}
      {covers ? null : (
        <Checkbox
          label="I know that files which were paid since the backup may not be recognised"
          checked={withoutMemory}
          onChange={({ currentTarget: { checked } }) =>
            onDecide({ ...decided, withoutMemory: checked })
          }
        />
      )}
    </>
  );
}

interface Decided {
  readonly choices: Readonly<Record<string, string>>;
  readonly seen: readonly string[];
  readonly withoutMemory: boolean;
}

const UNDECIDED: Decided = { choices: {}, seen: [], withoutMemory: false };

const chosen = ({ choices }: Decided, wanted: "keep" | "release"): string[] =>
  Object.entries(choices).flatMap(([id, choice]) => (choice === wanted ? [id] : []));

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
  const [decided, setDecided] = useState(UNDECIDED);
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
        const body = {
          epoch: freeze.epoch,
          reason,
          hold_unasked: holds,
          release: chosen(decided, "release"),
          keep: chosen(decided, "keep"),
          acknowledge_lost: [...decided.seen],
          without_memory: decided.withoutMemory,
        };
        await call("POST /api/operations/unfreeze", { body });
        await client.invalidateQueries();
      }}
    >
      <Decisions freeze={freeze} decided={decided} onDecide={setDecided} />
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
