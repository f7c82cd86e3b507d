/** Permissions of a person or a program. */
export const PERMISSIONS = [
  "read",
  "upload",
  "collect", // asks payers for money; only the gateway reports what was paid
  "approve",
  "operate",
  "reveal", // full account numbers; each view is recorded on the audit log
  "audit",
  "administer",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * The permissions of each role. A person has one or more roles, with their combined permissions. An
 * admin moves no money: they can make others approvers, but cannot become one alone.
 */
// biome-ignore format: the columns are the point
export const ROLES = {
  viewer:   ["read"],
  uploader: ["read", "upload", "collect"],
  approver: ["read", "approve", "reveal"],
  operator: ["read", "operate", "reveal"],
  auditor:  ["read", "audit", "reveal"],
  admin:    ["read", "administer", "audit"],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/**
 * The permissions that an API key can have: all except those that require an accountable person.
 */
export const KEY_SCOPES = ["read", "upload", "collect", "operate", "reveal", "audit"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * Returns the permissions of a user without the second factor that these of their roles require:
 * reading, and the permissions of their other roles.
 */
export const permissionsWithout = (
  roles: readonly Role[],
  factorRoles: readonly Role[],
): ReadonlySet<Permission> =>
  new Set(["read", ...permissionsOf(roles.filter((role) => !factorRoles.includes(role)))]);

/** Returns the permissions that these roles give together. */
export const permissionsOf = (roles: readonly Role[]): ReadonlySet<Permission> =>
  new Set(roles.flatMap((role) => [...ROLES[role]]));

/**
 * Scopes that an admin other than the maker of the key has to confirm. The database holds the same
 * list.
 */
const CONFIRMED_SCOPES: ReadonlySet<KeyScope> = new Set(["operate", "reveal"]);
/** Returns whether a key with these scopes needs the confirmation of a second admin. */
export const needsConfirmation = (scopes: readonly KeyScope[]): boolean =>
  scopes.some((scope) => CONFIRMED_SCOPES.has(scope));

/**
 * Returns the scopes that the roles do not permit: a key never has a right that its maker lacks.
 */
export function scopesExceeding(scopes: readonly KeyScope[], roles: readonly Role[]): KeyScope[] {
  const allowed = permissionsOf(roles);
  return scopes.filter((scope) => !allowed.has(scope));
}
