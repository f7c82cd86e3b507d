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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected ending of a command: the message goes to stderr as it is, without a stack. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
