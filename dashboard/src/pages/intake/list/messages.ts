import { inLanguage } from "../../../base/language.ts";

const en = {
  title: "Batches",
  upload: "Upload file",
};

export const messages = inLanguage({ en });
