import { givenSettings, schemaFor } from "#app/config.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";

/** One variable, as payrun uses it. */
export interface EffectiveSetting {
  readonly name: string;
  /** The value as text, without credentials. Null: not set, and there is no plain default. */
  readonly value: string | null;
  readonly source: "environment" | ".env" | "default" | "not set";
}

export interface EffectiveSettings {
  readonly settings: readonly EffectiveSetting[];
  /** Names in `.env` that payrun does not know, so it ignores them. */
  readonly ignored: readonly string[];
}

/**
 * Returns every variable with its value and its source. It does not check the values.
 *
 * @throws ConfigError if `.env` exists but cannot be read.
 */
export function effectiveSettings(): EffectiveSettings {
  const { file, environment } = givenSettings();
  const { shape } = schemaFor(DEFAULT_ROW_SETTINGS.crypto);
  const settings = Object.entries(shape).map(([name, type]): EffectiveSetting => {
    const given = environment[name] || file[name];
    if (given) {
      const source = environment[name] ? "environment" : ".env";
      return { name, value: withoutCredentials(name, given), source };
    }
    const standard: unknown = type.safeParse(undefined).data;
    if (standard === undefined) return { name, value: null, source: "not set" };
    return { name, value: plainText(standard), source: "default" };
  });
  return { settings, ignored: Object.keys(file).filter((name) => !Object.hasOwn(shape, name)) };
}

/** Returns a default as it would be written in the environment. Null: a list or a table. */
function plainText(standard: unknown): string | null {
  if (typeof standard === "boolean") return standard ? "yes" : "no";
  return typeof standard === "string" || typeof standard === "number" ? String(standard) : null;
}

const SECRET = /_(?:KEY|SECRET|HEADERS)$/;

/** Hides secrets, and the user and passwords of a URL. */
function withoutCredentials(name: string, value: string): string {
  if (SECRET.test(name)) return "(hidden)";
  return value
    .replace(/^([a-z][a-z+.-]*:\/\/)[^/?#]*@/i, "$1…@")
    .replaceAll(/([?&][a-z]*password=)[^&#]*/gi, "$1…");
}
