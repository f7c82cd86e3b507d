import { Button, Checkbox, Radio, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { LaneName } from "../../../components/payout/lane-name.tsx";
import { ConfirmAction } from "../../../components/forms/confirm-action.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { formatMoney } from "../../../base/money.ts";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import { countText, payoutsText } from "../shared/operations-view.ts";

const texts = messages.frozen;

type Freeze = NonNullable<Answer<"GET /api/operations/freeze">["freeze"]>;
type FrozenLane = Freeze["lanes"][number];

const COLUMNS: readonly Column<FrozenLane>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "in_progress",
    header: texts.inProgress,
    numeric: true,
    cell: ({ in_progress }) => countText(in_progress),
  },
  {
    key: "unqueried",
    header: texts.notQueried,
    numeric: true,
    cell: ({ unqueried }) => countText(unqueried),
  },
];

/** The state of a frozen ledger, and the dialog that unfreezes it. */
export function FrozenLedger({ isFrozen }: { readonly isFrozen: boolean }) {
  /** The freeze for which the dialog was opened; null: no dialog. */
  const [asked, setAsked] = useState<Freeze | null>(null);
  const { data: answer, error } = useQuery({
    queryKey: ["GET /api/operations/freeze"],
    queryFn: ({ signal }) => call("GET /api/operations/freeze", { signal }),
    enabled: isFrozen,
    refetchInterval: 10_000,
  });
  const freeze = isFrozen ? (answer?.freeze ?? null) : null;
  const isMeant = freeze !== null && freeze.epoch === asked?.epoch;
  const over = freeze === null ? texts.alreadyUnfrozen : texts.frozenAgain;
  return (
    <>
      {error && isFrozen && !answer ? <ErrorState error={error} /> : null}
      {freeze ? <FreezeState freeze={freeze} onEnd={() => setAsked(freeze)} /> : null}
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

const unaskedOf = ({ lanes }: Freeze): number =>
  lanes.reduce((sum, lane) => sum + lane.unqueried, 0);

const explanationOf = ({ cause, epoch }: Freeze): string =>
  ({
    frozen: texts.explanation,
    other_epoch: texts.olderEpoch(epoch),
    removed_standby: texts.removedStandby,
  })[cause];

function FreezeState({ freeze, onEnd }: { readonly freeze: Freeze; readonly onEnd: () => void }) {
  const unasked = unaskedOf(freeze);
  return (
    <Section title={freeze.cause === "frozen" ? texts.title : texts.notSending}>
      <Text size="sm">
        {freeze.since
          ? texts.since(freeze.reason, <Timestamp at={freeze.since} />)
          : `${freeze.reason}.`}{" "}
        {explanationOf(freeze)}
      </Text>
      {freeze.lanes.length === 0 ? null : (
        <DataTable
          caption={texts.caption}
          columns={COLUMNS}
          rows={freeze.lanes}
          rowKey={({ lane }) => lane}
        />
      )}
      <ForgottenPayouts freeze={freeze} />
      <LostBatches freeze={freeze} />
      {freeze.since ? (
        <div className={classes.buttons}>
          <Button color="red" variant="outline" onClick={onEnd}>
            {texts.unfreeze}
          </Button>
          <Text size="sm" c="dimmed">
            {unasked === 0 ? texts.allQueried : texts.stillToQuery(payoutsText(unasked))}
          </Text>
        </div>
      ) : null}
    </Section>
  );
}

function ForgottenPayouts({ freeze }: { readonly freeze: Freeze }) {
  if (freeze.on_hold_count === 0 && freeze.stray_count === 0) return null;
  return (
    <ul className={classes.reasons}>
      {freeze.on_hold_count === 0 ? null : (
        <li>
          {texts.onHold(
            payoutsText(freeze.on_hold_count),
            freeze.on_hold.map(({ transaction_code }) => transaction_code),
            freeze.on_hold_count > freeze.on_hold.length,
          )}
        </li>
      )}
      {freeze.stray_count === 0 ? null : (
        <li>
          {texts.strayCodes(
            countText(freeze.stray_count),
            freeze.stray_codes,
            freeze.stray_count > freeze.stray_codes.length,
          )}
        </li>
      )}
    </ul>
  );
}

/** Batches that may be paid twice: lost ones, and those in quarantine. */
function LostBatches({ freeze: { lost, quarantine, ...memory } }: { readonly freeze: Freeze }) {
  return (
    <>
      {lost.length === 0 ? null : (
        <ul className={classes.reasons}>
          {lost.map((each) => (
            <li key={each.batch_id}>
              {texts.lost(
                each.file,
                each.batch_id,
                <Timestamp at={each.uploaded_at} />,
                payoutsText(each.rows),
                amountsText(each.totals),
              )}
            </li>
          ))}
        </ul>
      )}
      {quarantine.length === 0 ? null : (
        <ul className={classes.reasons}>
          {quarantine.map((each) => (
            <li key={each.batch_id}>
              {texts.quarantined(
                each.file,
                each.batch_id,
                <Timestamp at={each.created_at} />,
                payoutsText(each.rows),
              )}
            </li>
          ))}
        </ul>
      )}
      <Text size="sm">{memory.memory_covers ? texts.memoryCovers : texts.memoryDoesNotCover}</Text>
    </>
  );
}

const amountsText = (totals: Readonly<Record<string, string>>): string =>
  Object.entries(totals)
    .map(([currency, amount]) => formatMoney({ currency, amount }))
    .join(", ");

/** Asks for a decision about each batch in quarantine and an acknowledgement of each lost batch. */
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
          label={texts.acknowledgeLost(file, id)}
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
          label={texts.batch(file, id)}
          value={choices[id] ?? ""}
          onChange={(choice) => onDecide({ ...decided, choices: { ...choices, [id]: choice } })}
        >
          <Radio value="keep" label={texts.keep} />
          <Radio value="release" label={texts.release} />
        </Radio.Group>
      ))}
      {covers ? null : (
        <Checkbox
          label={texts.acknowledgeMemory}
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
  /**
   * Why the dialog no longer applies: another person unfroze the ledger, or it was frozen again.
   */
  readonly passed: string | null;
  readonly onClose: () => void;
}) {
  const unasked = unaskedOf(freeze);
  const client = useQueryClient();
  const [holds, setHolds] = useState(false);
  const [decided, setDecided] = useState(UNDECIDED);
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts.dialogTitle}
      verb={texts.unfreeze}
      danger
      sentence={
        unasked === 0
          ? texts.dialogAllQueried
          : texts.dialogNotQueried(payoutsText(unasked), unasked === 1)
      }
      asksReason
      passed={passed}
      onConfirm={async ({ reason }) => {
        const body = {
          epoch: freeze.epoch,
          reason,
          hold_unqueried: holds,
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
          label={texts.holdNotQueried(payoutsText(unasked))}
          checked={holds}
          onChange={({ currentTarget }) => setHolds(currentTarget.checked)}
        />
      )}
    </ConfirmAction>
  );
}
