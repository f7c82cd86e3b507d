import { type CryptoCurrencies, defaultLimits } from "#intake/amount-limits.ts";
import { type AmountStyle } from "#money/parse.ts";
import type { Carries } from "#payout/rules/layout-limits.ts";

/** Settings for reading rows, the same for every row of a file. */
export interface RowSettings {
  /** The number format of the amounts in the file. */
  readonly amountStyle: AmountStyle;
  /** True if a person confirmed the format for this file. False: it is the server's default. */
  readonly amountsConfirmed: boolean;
  /**
   * False: the file is refused if its amounts could also be read in another format. True for a
   * confirmed format, and for the rows of an existing batch, which keep their format.
   */
  readonly amountsFixed: boolean;
  /** Maximum amount per currency in minor units. A currency that is missing has no limit. */
  readonly amountLimits: ReadonlyMap<string, bigint>;
  readonly crypto: CryptoCurrencies;
  /** Severity of a bank code that is not in the tables. */
  readonly bankCodes: "warn" | "error";
  /** The characters that the layout of the request can carry. */
  readonly carries: Carries;
  /** The same per currency, for currencies whose merchant has a layout of its own. */
  readonly carriesOf: ReadonlyMap<string, Carries>;
  /** The currencies with merchant credentials. Null: not known, so all are accepted. */
  readonly currencies: ReadonlySet<string> | null;
  /**
   * The payout codes of each currency's merchant. Null: not known, so only their form is validated.
   */
  readonly payoutCodes: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** The origins, such as https://shop.example, that a row may use in callback_url. */
  readonly callbackOrigins: ReadonlySet<string>;
}

const DEFAULT_CRYPTO: CryptoCurrencies = new Map([["USDT", { chain: "tron", minorDigits: 6 }]]);

export const DEFAULT_ROW_SETTINGS: RowSettings = {
  amountStyle: "plain",
  amountsConfirmed: true,
  amountsFixed: true,
  amountLimits: defaultLimits(DEFAULT_CRYPTO),
  crypto: DEFAULT_CRYPTO,
  bankCodes: "warn",
  carries: "raw",
  carriesOf: new Map(),
  currencies: null,
  payoutCodes: null,
  callbackOrigins: new Set(),
};
