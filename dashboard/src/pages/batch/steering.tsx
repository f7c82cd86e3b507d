import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers, passedOf } from "../../components/confirm-in-numbers.tsx";
import { addAmounts, formatMoney } from "../../money.ts";
import { plural } from "../../words.ts";
import { PriorityButton } from "../../components/priority.tsx";
import type { BatchPage } from "./queries.ts";

type Verb = "pause" | "resume" | "release" | "cancel";

/** What an operator may do now; each asks for a reason and says in numbers what will happen. */
export function Steering({
  batch,
  again,
}: {
  readonly batch: BatchPage;
  readonly again: () => void;
}) {
  const [asked, setAsked] = useState<Verb | null>(null);
  const verbs = (["pause", "resume", "release", "cancel"] as const).filter(
    (verb) => batch.you[verb].may,
  );
  const order = async (verb: Verb, reason: string): Promise<void> => {
    await call(`POST /api/batches/:id/${verb}`, {
      params: { id: batch.batch_id },
      body: { reason },
    });
    again();
  };
  return (
    <Group gap="xs">
      <PriorityButton batch={batch} may={batch.you.prioritize} again={again} />
      {verbs.map((verb) => (
        <Button key={verb} variant="default" size="xs" onClick={() => setAsked(verb)}>
          {WORDS[verb]}
        </Button>
      ))}
      {asked === null ? null : (
        <ConfirmInNumbers
          opened
          onClose={() => setAsked(null)}
          title={`${WORDS[asked]}?`}
          sentence={consequence(asked, batch)}
          verb={WORDS[asked]}
          danger={asked === "cancel"}
          asksReason
          passed={passedOf(batch.you[asked])}
          onConfirm={({ reason }) => order(asked, reason)}
        />
      )}
    </Group>
  );
}

const WORDS: Readonly<Record<Verb, string>> = {
  pause: "Pause",
  resume: "Go on",
  release: "Release the rest",
  cancel: "Cancel the rest",
};

const UNSENT = new Set(["approved", "awaiting_approval"]);

/** Payouts that were not sent, and what they come to. */
function unsentOf({ lanes }: BatchPage): string {
  const unsent = lanes.flatMap(({ currency, states }) =>
    states
      .filter(({ state }) => UNSENT.has(state))
      .map(({ count, amount }) => ({ currency, count, amount })),
  );
  const count = unsent.reduce((sum, each) => sum + each.count, 0);
  const byCurrency = Map.groupBy(unsent, ({ currency }) => currency);
  const sums = [...byCurrency].map(([currency, each]) =>
    formatMoney({ currency, amount: addAmounts(each.map(({ amount }) => amount)) }),
  );
  return `${plural(count, "payout")} not yet sent (${sums.join(", ")})`;
}

function consequence(verb: Verb, batch: BatchPage): string {
  switch (verb) {
    case "pause":
      return `${unsentOf(batch)} will wait. What was sent is still followed.`;
    case "resume":
      return `${unsentOf(batch)} will be sent, and the stopped lanes of the batch open.`;
    case "release":
      return `${unsentOf(batch)} will be sent although the first payouts have not settled.`;
    case "cancel":
      return `Cancel ${unsentOf(batch)}. What was sent is still followed to its end. This cannot be undone.`;
  }
}
