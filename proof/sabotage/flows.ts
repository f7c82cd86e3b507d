import type { Sabotage } from "./sabotage.ts";

const SEND = "src/flows/payout/send.ts";
const LANE_HEALTH = "src/flows/payout/lane/update-lane-health.ts";

/** Mistakes in the order of the steps: claim, send, query, record. */
export const FLOW_SABOTAGES: readonly Sabotage[] = [
  {
    name: "a new code on each attempt",
    breaks: "I5",
    caughtBy: "simulation",
    edits: [
      {
        file: SEND,
        find: "await gateway.submitPayout({ ...order, callbackUrl });",
        replace: `await gateway.submitPayout({
    ...order,
    callbackUrl,
    transactionCode:
      attempt.number > 1
        ? \`\${order.transactionCode.slice(0, -2)}\${String(attempt.number % 100).padStart(2, "0")}\`
        : order.transactionCode,
  });`,
      },
    ],
  },
  {
    name: "a payout that a restored ledger may have forgotten is sent without a query",
    breaks: "I1",
    caughtBy: "drill",
    tests: "flows/payout/query-before-send",
    edits: [
      {
        file: "src/flows/payout/query-before-send.ts",
        find: "if (!mayBeForgotten) return null;",
        replace: "if (!mayBeForgotten || order.transactionCode) return null;",
      },
    ],
  },
  {
    name: "late evidence is dropped",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: SEND,
        find: "  const decision = decideOutcome(known, outcome, timings);\n",
        replace: `  const asked = await ledger.payout.findStatusQuery(order.transactionCode);
  if (asked?.seq !== attempt.seq) return;
  const decision = decideOutcome(known, outcome, timings);
`,
      },
    ],
  },
  {
    name: "a worker that wakes up with a claim ignores its lease",
    breaks: "I4",
    caughtBy: "simulation",
    edits: [
      {
        file: SEND,
        find: "return sinceMs > sendWithinMs || byWallMs < -sendWithinMs;",
        replace: "return sinceMs > 1_000_000 * sendWithinMs;",
      },
    ],
  },
  {
    name: "stored content is sent without comparing it with the approved content",
    breaks: "I7",
    caughtBy: "simulation",
    edits: [
      {
        file: SEND,
        find: 'if (!attempt.intact) return holdPayout(attempt, "content_changed", "", deps);',
        replace: 'if (attempt.number < 0) return holdPayout(attempt, "content_changed", "", deps);',
      },
    ],
  },
  {
    name: "a callback is treated as proof",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/callback.ts",
        find: "  await ledger.payout.makeStatusQueryDue(known.payoutId);\n",
        replace: `  const end = { completed: "settle", failed: "decline" } as const;
  const event = hint.state === "completed" || hint.state === "failed" ? end[hint.state] : null;
  if (event && (known.state === "accepted" || known.state === "in_doubt")) {
    const { payoutId, seq, state: from } = known;
    const evidence = { kind: "status" as const, attempt: null, facts: { text: "callback" } };
    await ledger.payout.move({ payoutId, seq, from, event, reason: null, dueInMs: 0, actor: "callback", evidence });
  }
  await ledger.payout.makeStatusQueryDue(known.payoutId);
`,
      },
    ],
  },
  {
    name: "an incorrect configuration is tried on every row",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: LANE_HEALTH,
        find: "const stopped = await ledger.payout.stopLane(lane, stop);",
        replace:
          'const stopped = stop.reason === "" && (await ledger.payout.stopLane(lane, stop));',
      },
    ],
  },
  {
    name: "more concurrent requests than allowed",
    breaks: "I13",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/lane/lane-turns.ts",
        find: "if (!stopping.aborted) taken = await take(free);",
        replace: "if (!stopping.aborted) taken = await take(4 * free);",
      },
    ],
  },
  {
    name: "expired leases are not searched for",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/dispatch.ts",
        find: "  if (batch.isDue) await deps.ledger.payout.expireLeases(batch.id);\n",
        replace: "",
      },
    ],
  },
  {
    name: "jobs are created only at the first sweep",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/dispatch.ts",
        find: "  if (!paused) jobs.submit",
        replace: `  const made = ((clock as unknown as { made?: Set<string> }).made ??= new Set());
  const isNew = toSend > 0 && !paused && !made.has(batchId + lane);
  if (isNew) made.add(batchId + lane);
  if (isNew) jobs.submit`,
      },
    ],
  },
  {
    name: "payouts in doubt are not queried",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/flows/payout/dispatch.ts",
        find: "  jobs.resolve.push(...sharesOf(toQuery));\n",
        replace: "",
      },
    ],
  },
  {
    name: "a stopped lane is never reopened",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: LANE_HEALTH,
        find: "if (await ledger.payout.recordProbeResult(lane, isAnswered))",
        replace: 'if (lane === "" && (await ledger.payout.recordProbeResult(lane, isAnswered)))',
      },
    ],
  },
];
