/**
 * Every action that payrun can write to the audit log, by subject. The log of an older ledger may
 * contain others.
 */
// biome-ignore format: one line per subject
export const AUDIT_ACTIONS = [
  // Batches.
  "ingest", "correct", "correct_partly", "leave_out", "describe", "allow_duplicates", "request_approval", "question",
  "approval", "approve", "withdraw_approval", "send_back", "set_priority", "set_canary", "release_canary",
  "release", "hold_back", "reschedule", "send_now", "pause", "resume", "cancel", "cancel_rest",
  "finish", "finish_cancelled", "finish_with_exceptions", "release_quarantine", "keep_quarantine", "acknowledge_lost",
  // Downloads, and views of full accounts.
  "view_rows", "download_rejects", "download_report", "download_copy", "download_failures", "download_payouts", "download_batches", "download_deposits",
  "reveal", "search_account",
  // Payouts and deposits.
  "comment", "note", "assign", "snooze", "query_status", "propose_resolution", "refuse_resolution", "resolve_payout", "resolve_deposit",
  "propose_end_wait", "refuse_end_wait", "end_wait", "request_deposit", "send_account", "send_reference",
  // Lanes and schedules.
  "pause_lane", "resume_lane", "open_lane", "set_lane", "name_account",
  "create_schedule", "edit_schedule", "pause_schedule", "resume_schedule", "remove_schedule",
  "occurrence_created", "occurrence_missed", "occurrence_failed", "create_occurrence", "skip_occurrence",
  // Users, keys and rules.
  "sign_in", "sign_in_refused", "sign_out", "end_session", "step_up", "step_up_refused",
  "setup_link", "invite", "invite_link", "reset_link", "join", "password", "totp_on", "totp_off", "recovery_code_used",
  "roles", "enable", "disable", "key_create", "key_confirm", "key_rotate", "key_revoke",
  "approval_rules", "payout_limits", "second_factor_policy",
  "change_alone", "propose_change", "confirm_change", "withdraw_change", "apply_change", "void_change",
  // The installation.
  "create_channel", "delete_channel", "test_channel", "replay_delivery",
  "freeze", "unfreeze", "rotate_key", "audit_signed",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
