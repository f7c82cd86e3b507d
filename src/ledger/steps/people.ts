import {
  findKey,
  confirmApiKey,
  findKeyVersion,
  insertApiKey,
  lockRotatableKey,
  replaceApiKey,
  revokeApiKey,
} from "#ledger/people/api-keys.ts";
import { findArchiveDigest, isRemovalKnown } from "#ledger/integrity/archive/registry.ts";
import { makeLink, findLink, useUp, voidLinks } from "#ledger/people/links.ts";
import {
  findChange,
  insertChange,
  changeOfKey,
  decideChange,
  findDueChanges,
  lockChange,
  isSetUp,
} from "#ledger/people/pending-changes.ts";
import {
  readFactorRoles,
  writeFactorRoles,
  isFactorRequired,
} from "#ledger/people/second-factor-policy.ts";
import {
  removeTotp,
  findSealedTotp,
  storeTotp,
  useRecoveryCode,
  useTotpStep,
} from "#ledger/people/second-factors.ts";
import {
  endSessions,
  endOtherSessions,
  openSession,
  stepUpSession,
} from "#ledger/people/sessions.ts";
import { uncountTry, countTry, deleteTries } from "#ledger/people/throttles.ts";
import {
  findAccount,
  lockUsers,
  hasUsers,
  insertUser,
  setPassword,
  setRoles,
  setDisabled,
  countOtherAdmins,
  renewHash,
  everyName,
} from "#ledger/people/users.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about people: users, sessions, second factors, API keys and pending changes. */
export const peopleSteps = (database: Database) =>
  bind([database], {
    findArchiveDigest,
    isRemovalKnown,
    findChange,
    findKey,
    findAccount,
    readFactorRoles,
    writeFactorRoles,
    confirmApiKey,
    findKeyVersion,
    lockUsers,
    insertApiKey,
    insertChange,
    revokeApiKey,
    lockRotatableKey,
    replaceApiKey,
    changeOfKey,
    decideChange,
    hasUsers,
    makeLink,
    insertUser,
    removeTotp,
    endSessions,
    findLink,
    useUp,
    setPassword,
    findDueChanges,
    lockChange,
    setRoles,
    voidLinks,
    setDisabled,
    countOtherAdmins,
    isSetUp,
    findSealedTotp,
    storeTotp,
    endOtherSessions,
    isFactorRequired,
    useRecoveryCode,
    useTotpStep,
    uncountTry,
    countTry,
    deleteTries,
    renewHash,
    openSession,
    stepUpSession,
    everyName,
  });
export type PeopleSteps = ReturnType<typeof peopleSteps>;
