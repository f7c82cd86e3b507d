import { inLanguage } from "../../../base/language.ts";

const en = { title: "Signing in", wait: "You are being signed in." };

export const messages = inLanguage({ en });
