/** What a person or a program may be allowed to do. */
export const PERMISSIONS = [
  "read",
  "upload",
  "collect", // asks payers for money; what comes in is the gateway's word alone
  "approve",
  "operate",
  "reveal", // full account numbers; each look is on the audit log
  "audit",
  "administer",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Who may do what. A person has one or more roles and may do what any of them may. */
// biome-ignore format: the columns are the point
export const ROLES = {
  viewer:   ["read"],
  uploader: ["read", "upload", "collect"],
  approver: ["read", "approve", "reveal"],
  operator: ["read", "operate", "reveal"],
  auditor:  ["read", "audit", "reveal"],
  admin:    ["read", "administer", "audit"], // no money: an admin can make an approver, never become one alone
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/** What a key for programs can be allowed: all but what needs a person who answers for it. */
export const KEY_SCOPES = ["read", "upload", "collect", "operate", "reveal", "audit"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const permissionsOf = (roles: readonly Role[]): ReadonlySet<Permission> =>
  new Set(roles.flatMap((role) => [...ROLES[role]]));
