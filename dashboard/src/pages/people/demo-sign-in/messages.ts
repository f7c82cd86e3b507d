import { inLanguage } from "../../../base/language.ts";

const en = { title: "Signing in", wait: "Signing you in…" };

export const messages = inLanguage({ en });
