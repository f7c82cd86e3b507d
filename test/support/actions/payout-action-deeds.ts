import { listOnStatementOf } from "../listed-line.ts";
import type { Scene } from "./scene.ts";

/** Actions on many payouts, and the audit line of each. */
export function payoutActions(scene: Scene) {
  const { operator, checker } = scene;
  const BECAUSE = { reason: "the supplier called" };

  const preview = async (action: string, codes: readonly string[]) =>
    (await operator.post("/api/payout-actions", { action, codes })).json;

  /** A payout on hold that a current statement lists as completed. */
  const listed = async (status = "completed"): Promise<string> => {
    const code = await scene.held();
    await listOnStatement(scene, code, status);
    return code;
  };
  const proposed = async (): Promise<string> => {
    const { id } = await preview("resolve", [await listed()]);
    await operator.post(`/api/payout-actions/${id}/apply`, BECAUSE);
    return id;
  };
  return {
    "POST /api/payout-actions": null,
    "POST /api/payout-actions/:id/apply": [
      "apply_payout_action",
      async () => {
        const { id } = await preview("hold_back", [await scene.payout()]);
        return operator.post(`/api/payout-actions/${id}/apply`, BECAUSE);
      },
    ],
    "POST /api/payout-actions/:id/assign": [
      "apply_payout_action",
      async () => {
        const { id } = await preview("assign", [await scene.held()]);
        return operator.post(`/api/payout-actions/${id}/assign`, { to: operator.userId });
      },
    ],
    "POST /api/payout-actions/:id/confirm": [
      "confirm_payout_action",
      async () => checker.post(`/api/payout-actions/${await proposed()}/confirm`),
    ],
    "POST /api/payout-actions/:id/reject": [
      "refuse_payout_action",
      async () => checker.post(`/api/payout-actions/${await proposed()}/reject`, BECAUSE),
    ],
  } as const;
}

/** Stores a current statement with one line about a payout, of a day of its own. */
export const listOnStatement = (
  { server }: Pick<Scene, "server">,
  ...line: Parameters<typeof listOnStatementOf> extends [string, ...infer Rest] ? Rest : never
): Promise<string> => listOnStatementOf(server.deps.databaseUrl, ...line);
