/** The actions whose object is a batch. */
// biome-ignore format: one line per subject
const BATCH_ACTIONS = [
  "ingest", "add_payout", "correct", "correct_partly", "leave_out", "leave_out_rows", "put_back_rows", "describe", "allow_duplicates", "request_approval",
  "question", "approval", "approve", "withdraw_approval", "send_back", "withdraw", "set_priority", "set_canary", "release_canary",
  "release", "hold_back", "reschedule", "send_now", "pause", "resume", "cancel", "cancel_rest",
  "finish", "finish_cancelled", "finish_with_exceptions", "release_quarantine", "keep_quarantine", "acknowledge_lost",
  "view_rows", "download_rejects", "download_report", "download_copy", "download_batch_evidence",
] as const;

/** The actions whose object is a payout, or can be another object. */
// biome-ignore format: one line per subject
const PAYOUT_ACTIONS = [
  "reveal", "note", "assign", "snooze", "query_status", "propose_resolution", "refuse_resolution", "resolve_payout",
  "propose_end_wait", "refuse_end_wait", "end_wait", "download_payout_evidence",
] as const;

/** The actions on many payouts, whose object is the action itself. */
const BULK_ACTIONS = [
  "apply_payout_action",
  "propose_payout_action",
  "confirm_payout_action",
  "refuse_payout_action",
] as const;

/** Names of actions on payouts in lines from before migrations 0053 and 0057. */
const OLD_PAYOUT_ACTIONS = ["propose_closing", "refuse_closing", "close_payout", "ask"];

/** The actions on each kind of object, with those that other kinds of objects have as well. */
export const ACTIONS_ON: Readonly<Record<"batch" | "payout" | "payout_action", readonly string[]>> =
  {
    batch: [...BATCH_ACTIONS, "comment"],
    payout: [...PAYOUT_ACTIONS, ...OLD_PAYOUT_ACTIONS, "comment"],
    payout_action: BULK_ACTIONS,
  };

/**
 * Every action that payrun can write to the audit log, by subject. The log of an older ledger may
 * contain others.
 */
// biome-ignore format: one line per subject
export const AUDIT_ACTIONS = [
  ...BATCH_ACTIONS, ...PAYOUT_ACTIONS, ...BULK_ACTIONS, "comment",
  "download_failures", "download_payouts", "download_batches", "download_deposits", "search_account",
  "resolve_deposit", "request_deposit", "send_account", "send_reference",
  // Lanes and schedules.
  "pause_lane", "resume_lane", "open_lane", "set_lane", "name_account",
  "create_schedule", "edit_schedule", "pause_schedule", "resume_schedule", "remove_schedule",
  "occurrence_created", "occurrence_missed", "occurrence_failed", "create_occurrence", "skip_occurrence",
  // Statements and breaks.
  "map_statement", "load_statement", "confirm_statement", "refuse_statement", "reconcile", "assign_break", "comment_break", "propose_break", "refuse_break", "resolve_break", "apply_break_action",
  // Business days.
  "open_days", "close_day", "propose_adjustment", "refuse_adjustment", "adjust_day", "propose_reopening", "refuse_reopening", "reopen_day",
  // Users, keys and rules.
  "sign_in", "sign_in_refused", "sign_out", "end_session", "step_up", "step_up_refused",
  "setup_link", "invite", "invite_link", "reset_link", "join", "password", "totp_on", "totp_off", "recovery_code_used",
  "roles", "enable", "disable", "key_create", "key_confirm", "key_rotate", "key_revoke",
  "approval_rules", "payout_limits", "second_factor_policy", "retention_policy",
  "change_alone", "propose_change", "confirm_change", "withdraw_change", "apply_change", "void_change",
  // The installation.
  "create_channel", "edit_channel", "delete_channel", "test_channel", "replay_delivery",
  "freeze", "unfreeze", "follow_promotion", "rotate_key", "import_keys", "audit_signed",
  "create_archive", "detach_archive", "archive_detached", "restore_archive", "view_archive", "retention_run",
  "propose_erasure", "refuse_erasure", "erase_person",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
