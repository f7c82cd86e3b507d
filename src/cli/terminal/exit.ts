/**
 * Exit codes of the command line. They are a contract: scripts and cron jobs distinguish results by
 * them.
 */
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

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "success; for `pay` and `batch watch`: every payout is settled",
  unexpected:
    "unexpected error (`--debug` prints the stack trace); for `audit verify`: the audit log is damaged",
  usage: "the command line, environment or configuration is invalid; no changes were made",
  problems:
    "the file or its rows have problems, or the batch cannot be sent for approval yet; for `reconcile` and `close`: the statement or the day has breaks",
  notFound: "the file, batch or payout does not exist",
  notAllowed:
    "you do not have permission, a signed-in user must do this, or the totals do not match",
  conflict: "the action is not possible in the current state",
  declined:
    "finished, but at least one payout was declined, cancelled or later returned; for `deposit krw-account`: the gateway refused the account",
  heldOrInDoubt:
    "at least one payout is on hold, in doubt or in progress; for `doctor`: the ledger is frozen; for `deposit krw-account`: the gateway has not responded",
  unreachable: "the database, queue, server or gateway is not responding or is refusing requests",
  interrupted: "interrupted; payrun keeps tracking payouts already sent",
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Returns the name of an exit code for programs, such as "not_found". */
export function exitCodeName(exitCode: ExitCode): string {
  const [name = ""] = Object.entries(EXIT).find(([, code]) => code === exitCode) ?? [];
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The exit code of an HTTP status, unless the code of the problem is more specific. */
const EXIT_OF_STATUS: Readonly<Record<number, ExitCode>> = {
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

/** Returns the exit code for the HTTP status of a refusal. */
export const exitCodeOfStatus = (status: number): ExitCode =>
  EXIT_OF_STATUS[status] ?? EXIT.unexpected;

interface ProblemText {
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

/**
 * Formats an API problem on one line. For a missing object the detail is sufficient, because the
 * title would repeat it.
 */
export function refusalText({ code, title, detail = title }: ProblemText): string {
  if (detail !== title) return code === "not_found" ? detail : `${title}: ${detail}`;
  // The problems of each field follow.
  return code === "invalid_request" ? "Invalid input; no changes were made." : `${title}.`;
}

/** Formats the problems of each field, one line each. */
export const fieldLines = ({
  places = [],
}: {
  readonly places?: readonly { readonly place: string; readonly message: string }[] | undefined;
}): string[] => places.map(({ place, message }) => `  ${fieldOf(place)}: ${message}`);

/** People do not know a name such as "body.lead_hours". */
const fieldOf = (place: string): string =>
  place.split(".").slice(1).join(" ").replaceAll("_", " ") || place;

/**
 * An expected failure of a command. The message is printed to stderr unchanged, without a stack
 * trace.
 */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** The refusal's code, for programs. */
  readonly code: string;

  constructor(exitCode: ExitCode, message: string, code = exitCodeName(exitCode)) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
