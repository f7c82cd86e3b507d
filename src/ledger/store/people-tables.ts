import type { Generated } from "kysely";
import type { KeyScope, Role } from "#people/roles.ts";
import type { Proof } from "#people/session.ts";

/** The rows of migrations/0003-people.sql. */
export interface PeopleTables {
  users: {
    id: string;
    email: string;
    name: string;
    roles: Role[];
    password: string | null;
    totp: Buffer | null;
    totp_step: Generated<number>;
    disabled_at: Date | null;
    created_at: Date;
    time_zone: Generated<string | null>;
    mails_assignments: Generated<boolean>;
  };
  recovery_codes: { user_id: string; digest: Buffer; used_at: Date | null };
  links: {
    digest: Buffer;
    purpose: "setup" | "invite" | "reset";
    user_id: string | null;
    expires_at: Date;
    used_at: Date | null;
    created_at: Date;
  };
  sessions: {
    id: string;
    digest: Buffer;
    user_id: string;
    secure: boolean;
    address: string;
    agent: string;
    seen_at: Date;
    expires_at: Date;
    stepped_up_until: Date | null;
    stepped_up_by: Proof | null;
    ended_at: Date | null;
    created_at: Date;
  };
  api_keys: {
    id: string;
    name: string;
    digest: Buffer;
    shown: string;
    scopes: KeyScope[];
    created_by: string;
    expires_at: Date;
    used_at: Date | null;
    revoked_at: Date | null;
    replaced_by: Generated<string | null>;
    /** Set by a trigger, from the scopes. */
    needs_confirmation: Generated<boolean>;
    confirmed_by: Generated<string | null>;
    confirmed_at: Generated<Date | null>;
    created_at: Date;
  };
  second_factor_roles: { role: Role };
  retention_rules: { kind: string; days: number };
  retention_hold: { reason: string };
  throttles: { key: Buffer; failures: number; until: Date; updated_at: Date };
}

/** The header of an uploader's files, with the currency of all rows if it lacks that column. */
export interface ColumnMappingKey {
  actor: string;
  header_digest: string;
  currency: string | null;
}
