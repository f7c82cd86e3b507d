/** Exit codes of the command line. They are a contract: scripts and cron jobs tell the endings apart by them. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  problems: 3,
  notFound: 4,
  notAllowed: 5,
  conflict: 6,
  declined: 7,
  heldOrInDoubt: 8,
  unreachable: 9,
  interrupted: 130,
} as const;

export const EXIT_MEANS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done; of `pay` and `batch watch`: every payout is settled",
  unexpected:
    "something that nobody foresaw; `--debug` shows where; of `audit verify`: the log is broken",
  usage: "the command line, the environment or the configuration is wrong; nothing was done",
  problems: "rows or the file have problems, or the batch cannot be handed in as it stands",
  notFound: "there is no such file, batch or payout",
  notAllowed: "whoever asks may not do it, a person has to, or the totals given differ",
  conflict: "the state of things does not allow it",
  declined:
    "ended, and at least one payout was declined or cancelled (later also: returned); of `deposit krw-account`: the account was not taken",
  heldOrInDoubt:
    "at least one payout is held for a person, in doubt, or has not ended yet; of `doctor`: the ledger is frozen; of `deposit krw-account`: no answer is known",
  unreachable:
    "the database, the queue, the server or the gateway does not answer, or takes nothing",
  interrupted: "interrupted by the one who waited; what was sent is still followed",
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** "not_found": as programs are told it. */
export function nameOf(exitCode: ExitCode): string {
  const [name = ""] = Object.entries(EXIT).find(([, code]) => code === exitCode) ?? [];
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What an HTTP status means for the exit code, as far as a problem's code does not say more. */
const ENDINGS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  410: EXIT.conflict,
  413: EXIT.problems,
  415: EXIT.usage,
  422: EXIT.problems,
  429: EXIT.unreachable,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
  507: EXIT.unreachable,
};

export const endingOf = (status: number): ExitCode => ENDINGS[status] ?? EXIT.unexpected;

interface Told {
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

/** A problem of the API in a line. What is not there is named by the detail: the title would say it twice. */
export function refusalText({ code, title, detail = title }: Told): string {
  if (detail !== title) return code === "not_found" ? detail : `${title}: ${detail}`;
  // What is wrong with it follows, field by field.
  return code === "invalid_request" ? "Nothing was done: this cannot be taken." : `${title}.`;
}

/** An expected ending of a command: the message goes to stderr as it is, without a stack. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** For programs: what was refused. */
  readonly code: string;

  constructor(exitCode: ExitCode, message: string, code = nameOf(exitCode)) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
