import { inLanguage } from "../base/language.ts";

/** Texts of dialogs that the first page does not load. */
const en = {
  shortcuts: {
    title: "Keyboard shortcuts",
    switch: "Single-letter shortcuts",
    switchHint: "This setting applies to this browser. Ctrl K and Enter always work.",
    search: "Search and commands, same as Ctrl K",
    rows: "Next or previous row in a list",
    findings: "Next or previous row with a finding",
    help: "Show keyboard shortcuts",
    close: "Close",
  },

  stepUp: {
    title: "Enter your password again",
    titleOfCode: "Enter a new code",
    why: "This action needs your password or a code from the last five minutes, because other people could use your open browser. With an authenticator app, only a code counts.",
    code: "Code",
    codeHint: "From your authenticator app, or a recovery code",
    password: "Password",
    cancel: "Go back",
    confirm: "Continue",
    close: "Close",
  },
};

export const dialogMessages = inLanguage({ en });
