import { RETENTION_KIND_NAMES } from "#integrity/retention.ts";
import type { Answer } from "../dashboard/server.ts";
import { OTHER, PASSWORD } from "./people.ts";
import type { Scene } from "./scene.ts";

/** Actions of people on people, each with its audit action. */
export const peopleActions = ({
  server,
  admin,
  uploader,
  newcomer,
  invited,
  signedIn,
  sessionOf,
  enrolled,
  key,
  proposed,
}: Scene) =>
  ({
    "POST /api/users": [
      "invite",
      () => admin.post("/api/users", { email: "i@example.test", name: "I", roles: ["viewer"] }),
    ],
    "PUT /api/users/:id/roles": [
      "roles",
      async () => {
        const { userId } = await server.newUser(["viewer"]);
        return admin.send("PUT", `/api/users/${userId}/roles`, { body: { roles: ["uploader"] } });
      },
    ],
    "POST /api/users/:id/disable": [
      "disable",
      async () => admin.post(`/api/users/${(await server.newUser(["viewer"])).userId}/disable`),
    ],
    "POST /api/users/:id/enable": [
      "enable",
      async () => {
        const { userId } = await server.newUser(["viewer"]);
        await admin.post(`/api/users/${userId}/disable`);
        return admin.post(`/api/users/${userId}/enable`);
      },
    ],
    "POST /api/users/:id/link": [
      "invite_link",
      async () => admin.post(`/api/users/${(await server.newUser(["viewer"])).userId}/link`, {}),
    ],
    "POST /api/pending-changes": ["propose_change", () => proposed()],
    "POST /api/pending-changes/:id/confirm": ["confirm_change", () => proposed("confirm")],
    "POST /api/pending-changes/:id/withdraw": ["withdraw_change", () => proposed("withdraw")],
    "PUT /api/second-factor-policy": [
      "second_factor_policy",
      () => admin.send("PUT", "/api/second-factor-policy", { body: { roles: [] } }),
    ],
    "PUT /api/retention": [
      "retention_policy",
      () => admin.send("PUT", "/api/retention", { body: { rules: NO_RULES, hold: "case 12" } }),
    ],
    "POST /api/keys": ["key_create", () => admin.post("/api/keys", key())],
    "POST /api/keys/:id/rotate": [
      "key_rotate",
      async () =>
        admin.post(`/api/keys/${(await admin.post("/api/keys", key())).json.id}/rotate`, {}),
    ],
    "DELETE /api/keys/:id": [
      "key_revoke",
      async () =>
        admin.send("DELETE", `/api/keys/${(await admin.post("/api/keys", key())).json.id}`),
    ],
    "POST /api/profile/password": [
      "password",
      async () =>
        (await signedIn()).post("/api/profile/password", { current: PASSWORD, password: OTHER }),
    ],
    "POST /api/profile/totp": null, // its secret is stored and required from its first code on
    "POST /api/profile/totp/confirm": [
      "totp_on",
      async () => {
        const caller = await newcomer("uploader");
        return caller.post("/api/profile/totp/confirm", await enrolled(caller));
      },
    ],
    "DELETE /api/profile/totp": [
      "totp_off",
      async () => {
        const caller = await newcomer("uploader");
        const { json } = await caller.post("/api/profile/totp/confirm", await enrolled(caller));
        const [code] = json.recovery_codes;
        await caller.post("/api/session/step-up", { code });
        return caller.send("DELETE", "/api/profile/totp");
      },
    ],
    "DELETE /api/profile/sessions/:id": [
      "end_session",
      async () => {
        const caller = await signedIn();
        return caller.send("DELETE", `/api/profile/sessions/${await sessionOf(caller)}`);
      },
    ],
    "POST /api/session": [
      "sign_in",
      async () => {
        const { email } = (await uploader.get("/api/session")).json.person;
        return server.nobody.post("/api/session", { email, password: PASSWORD });
      },
    ],
    "DELETE /api/session": [
      "sign_out",
      async () => (await signedIn()).send("DELETE", "/api/session"),
    ],
    "POST /api/session/step-up": [
      "step_up",
      () => uploader.post("/api/session/step-up", { password: PASSWORD }),
    ],
    "POST /api/links/use": [
      "join",
      async () => {
        const { token } = await invited();
        return server.nobody.post("/api/links/use", { token, password: PASSWORD });
      },
    ],
  }) as const satisfies Readonly<Record<string, readonly [string, () => Promise<Answer>] | null>>;

const NO_RULES = Object.fromEntries(RETENTION_KIND_NAMES.map((kind) => [kind, null]));
