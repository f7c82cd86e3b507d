import type { BreakActionView } from "#api/reconciliation/break-actions.ts";
import { systemClock } from "#base/clock.ts";
import { userAmong } from "#cli/people/named-user.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { currentActor } from "#cli/terminal/output.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import { withLedgerApi, withLocalApi } from "#cli/terminal/local-api.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import type { BreakAction } from "#reconciliation/break-action.ts";
import type { BodyOf } from "#api/app/operation.ts";
import type { BREAK_ACTION_API } from "#api/reconciliation/break-actions.ts";

type Client = Pick<ApiClient, "call">;
type Selection = Pick<
  BodyOf<(typeof BREAK_ACTION_API)["POST /api/break-actions"]>,
  "filter" | "breaks"
>;

/** The input of the person who applies an action. */
interface Input {
  /** For an assignment: a user ID. Null: nobody. */
  readonly to: string | null;
  /** For a proposal. */
  readonly explanation: string;
}

/** Previews and applies actions on several breaks. */
export interface BreakActionPort {
  readonly client: Client;
  preview(action: BreakAction, selection: Selection): Promise<BreakActionView>;
  find(id: string): Promise<BreakActionView>;
  apply(preview: BreakActionView, input: Input): Promise<BreakActionView>;
  /** Returns the ID of the user with this ID or name. */
  userNamed(name: string): Promise<string>;
}

/** Looks up what a person names. */
export const lookupsOf = (client: Client) => ({
  client,
  find: (id: string) => client.call("GET /api/break-actions/:id", { params: { id } }),
  userNamed: async (name: string) => {
    const { items } = await client.call("GET /api/failures/people");
    return userAmong(name, items);
  },
});

/** Runs assignments and proposals, which need no second person. */
export const withOrders = (
  flags: ServerFlags,
  run: (port: BreakActionPort) => Promise<void>,
): Promise<void> =>
  withLedgerApi(flags, (client) =>
    run({
      ...lookupsOf(client),
      preview(action, selection) {
        if (action === "confirm" || action === "reject") throw new Error(`${action} is a decision`);
        return client.call("POST /api/break-actions", { body: { action, ...selection } });
      },
      apply: ({ id, action }, { to, explanation }) =>
        action === "assign"
          ? client.call("POST /api/break-actions/:id/assign", { params: { id }, body: { to } })
          : client.call("POST /api/break-actions/:id/propose", {
              params: { id },
              body: { explanation },
            }),
    }),
  );

/**
 * Runs decisions of the operator of this machine, who may decide only if there is no approver.
 *
 * @throws CliError if there is one, or if a server is named.
 */
export async function decisionsHere(
  flags: ServerFlags,
  run: (port: BreakActionPort) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    throw new CliError(
      EXIT.notAllowed,
      `API keys cannot decide about proposals. A signed-in approver can do this at ${server.url}/reconciliation?state=proposed No changes were made.`,
    );
  }
  const { withLedger } = await import("#cli/terminal/open.ts");
  const { localBatchApi } = await import("#composition/local-batches.ts");
  await withLedger(async (open) => {
    await refuseWithApprover(open);
    await withLocalApi(
      (actor) => localBatchApi(open, actor),
      () => null,
      async (client) => run({ ...lookupsOf(client), ...(await decisionsOf(open)) }),
    );
  });
}

async function refuseWithApprover({ database }: OpenLedger): Promise<void> {
  const { hasApprover } = await import("#ledger/payout/resolution-refusals.ts");
  if (!(await hasApprover(database))) return;
  throw new CliError(
    EXIT.notAllowed,
    "The command line does not prove who you are. An approver must decide about the proposals on the dashboard, under Reconciliation. No changes were made.",
  );
}

/** Why the ledger refused a decision. */
const REFUSALS: Readonly<Record<string, string>> = {
  too_many_breaks: "An action can have at most 100,000 breaks. Use more filters.",
  not_found: "There is no such preview.",
  not_own_preview: "Another person made this preview.",
  preview_expired: "The preview has expired. Make a new one.",
};

async function decisionsOf({
  ledger,
  database,
}: OpenLedger): Promise<Pick<BreakActionPort, "preview" | "apply">> {
  const flows = await import("#flows/reconciliation/break-actions.ts");
  const { breakActionView } = await import("#views/reconciliation/break-actions.ts");
  const deps = { ledger, clock: systemClock };
  const actor = currentActor();
  const shown = async (
    result: Awaited<ReturnType<typeof flows.previewBreakAction | typeof flows.applyBreakAction>>,
  ): Promise<BreakActionView> => {
    if (result.ok) return breakActionView(database, result.value);
    const why = REFUSALS[result.error] ?? "An approver must decide on the dashboard.";
    throw new CliError(EXIT.conflict, `${why} No changes were made.`);
  };
  return {
    async preview(action, { filter, breaks }) {
      const { assignee, ...rest } = filter ?? {};
      const whole = { ...rest, ...(assignee !== undefined && { assignee: `user:${assignee}` }) };
      const order = { action, chosen: breaks ?? whole, actor };
      return shown(await flows.previewBreakAction(order, deps));
    },
    async apply({ id }) {
      const actions = ["confirm", "reject"] as const;
      const order = { id, actions, actor, assignee: null, explanation: "" };
      return shown(await flows.applyBreakAction(order, deps));
    },
  };
}
