import { useMay, usePerson } from "../../../server/session.ts";
import type { Reader } from "./next-step.ts";

/** The signed-in user, as the next steps of a batch need to know them. */
export const useReader = (): Reader => ({
  actor: `user:${usePerson()?.id}`,
  mayUpload: useMay("upload"),
  mayOperate: useMay("operate"),
});
